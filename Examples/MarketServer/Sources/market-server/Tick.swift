import Foundation
import NIOCore

/// The market at one moment.
struct Tick: Codable, Equatable, Sendable {
  /// Goes up by one, so a client sees what it has missed.
  let number: Int
  let month: String
  /// In the order of the symbols; nil where a company is not yet traded.
  let prices: [Double?]
  /// The value of ten shares of each company.
  let portfolio: Double
}

/// A message of the event stream, encoded once for all clients.
struct Message: Equatable, Sendable {
  let bytes: ByteBuffer

  init(_ tick: Tick) {
    self.init("id: \(tick.number)\ndata: \(Self.json(tick))\n\n")
  }
  init(event: String, _ data: some Encodable) {
    self.init("event: \(event)\ndata: \(Self.json(data))\n\n")
  }
  private init(_ text: String) { bytes = ByteBuffer(string: text) }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Numbers and strings: there is nothing that cannot be encoded.
    return String(decoding: try! encoder.encode(value), as: UTF8.self)
  }
}
