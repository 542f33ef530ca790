import Foundation

/// A question or an answer of a relayed hook: a header of the relay, which is one line of JSON, and a payload as its schema writes it.
struct HookMessage<Payload: Sendable>: Sendable {
  var header: HookHeader
  /// Nil in an answer that is an error.
  var payload: Payload?
}

/// The fields of a question or an answer beside its payload.
struct HookHeader: Codable, Sendable, Equatable {
  /// The number of the question among those of the object that asks.
  var question: UInt64
  /// In a question: the last word of the subject to which the answers are sent.
  var replyTo: String?
  /// In a question: the time that the asker waits.
  var milliseconds: Int64?
  /// In an answer: what the handler has thrown.
  var error: String?

  /// Why the header is not one that a relay has sent; nil if it may be. It becomes a part of a subject, and a time.
  private var violation: String? {
    if let replyTo,
      !(1...16).contains(replyTo.utf8.count) || !replyTo.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    {
      return "the address"
    }
    if let milliseconds, !(0...86_400_000).contains(milliseconds) { return "\(milliseconds) milliseconds" }
    return nil
  }

  /// - Throws: What decoding throws, or that the header is missing or no relay's.
  static func split(_ body: Data) throws -> (HookHeader, Data) {
    guard let end = body.prefix(1 << 16).firstIndex(of: UInt8(ascii: "\n")) else {
      throw Invalid(description: "no header")
    }
    let header = try JSONDecoder().decode(HookHeader.self, from: Data(body[..<end]))
    if let violation = header.violation {
      throw Invalid(description: "not a question or an answer of a relay: \(violation)")
    }
    return (header, Data(body[body.index(after: end)...]))
  }
  private struct Invalid: Error, CustomStringConvertible { let description: String }

  func body(_ payload: Data) throws -> Data {
    var data = try JSONEncoder().encode(self)
    data.append(UInt8(ascii: "\n"))
    data.append(payload)
    return data
  }
}

extension HookMessage {
  static func read(_ body: Data, _ payload: (Data) throws -> Payload) throws -> HookMessage {
    let (header, rest) = try HookHeader.split(body)
    return HookMessage(header: header, payload: header.error == nil ? try payload(rest) : nil)
  }
}
