#if NATS
import Foundation
import TidingsRemote

/// The answer to a message that is to be stored; any other answer has its first field, perhaps.
struct Acknowledgement: Decodable {
  let error: APIError?
  let seq: UInt64?

  private static let decoder = JetStream.decoder
  static func decoding(_ body: Data) throws -> Acknowledgement { try decoder.decode(Acknowledgement.self, from: body) }

  /// The sequence under which a message is stored.
  static func sequence(_ reply: NATSReply) throws -> UInt64 {
    if reply.status == 503 { throw TransportError.unavailable("nats: no stream takes the message (yet)") }
    if let sequence = quickSequence(reply.body) { return sequence }
    let acknowledgement = try decoding(reply.body)
    if let error = acknowledgement.error { throw error.transportError }
    guard let sequence = StoreNumber.checked(acknowledgement.seq ?? 0) else {
      throw TransportError.rejected("nats: the broker's answer has a number out of bounds")
    }
    return sequence
  }

  /// The sequence in the broker's usual answer, `{"stream":"name", "seq":7}`, with or without spaces; nil for every other answer.
  /// A JSON decoder takes several times as long for it as the broker takes for the message.
  private static func quickSequence(_ body: Data) -> UInt64? {
    body.withUnsafeBytes { bytes in
      guard bytes.starts(with: prefix), bytes.last == UInt8(ascii: "}") else { return nil }
      // The name of a stream has no quotation mark, so the next one ends it.
      guard var place = bytes[prefix.count...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      place += 1
      func skip(_ byte: UInt8) { if bytes[place] == byte { place += 1 } }
      skip(UInt8(ascii: ","))
      skip(UInt8(ascii: " "))
      guard bytes[place...].starts(with: key) else { return nil }
      place += key.count
      skip(UInt8(ascii: " "))
      var sequence: UInt64 = 0
      while let digit = UInt64(exactly: bytes[place] &- UInt8(ascii: "0")), digit < 10 {
        sequence = sequence &* 10 &+ digit
        place += 1
      }
      return sequence > 0 ? StoreNumber.checked(sequence) : nil
    }
  }
  private static let prefix = Array(#"{"stream":""#.utf8)
  private static let key = Array(#""seq":"#.utf8)
}
#endif
