import Foundation

/// The header that is stored before a value: one line of JSON, then the value as its schema writes it.
struct ValueHeader: Codable, Sendable {
  let writer: String
  let number: UInt64
  let seen: WriterNumbers
  let schema: String
  let version: Int

  func body(_ value: Data) throws -> Data {
    var data = try JSONEncoder().encode(self)
    data.append(UInt8(ascii: "\n"))
    data.append(value)
    return data
  }

  static func split(_ body: Data) throws -> (ValueHeader, Data) {
    guard let end = body.firstIndex(of: UInt8(ascii: "\n")) else { throw NoHeader() }
    // A longer one is none: its length is bounded by the number of writers and the length of their names.
    guard end - body.startIndex <= 1 << 20 else { throw NoHeader() }
    let header = try JSONDecoder().decode(ValueHeader.self, from: Data(body[..<end]))
    return (header, Data(body[body.index(after: end)...]))
  }
  private struct NoHeader: Error, CustomStringConvertible { let description = "not a value of a relay" }
}
