#if NATS
import Foundation
import TidingsRemote

/// What travels with a message, in one header, because the client library takes longer for each header than for all of this:
/// `Tidings: origin number hops schema version id`, each word escaped as in subjects.
enum NATSHeader {
  static let name = "Tidings"
  static let deduplication = "Nats-Msg-Id"
  static let expectedRevision = "Nats-Expected-Last-Subject-Sequence"

  static func encode(_ message: RemoteMessage) -> String {
    "\(word(message.origin)) \(message.number) \(message.hops) \(word(message.schema)) \(message.version) \(word(message.id))"
  }

  /// A message without the header, of a program without this library, has an empty schema, which no schema reads.
  static func decode(_ header: String?, subject: String, body: Data, sequence: UInt64) -> RemoteMessage {
    var words = (header ?? "").split(separator: " ")[...]
    func next() -> Substring { words.popFirst() ?? "" }
    let (origin, number, hops, schema, version, id) = (next(), next(), next(), next(), next(), next())
    return RemoteMessage(
      subject: subject, id: text(id), origin: text(origin), number: UInt64(number) ?? 0, hops: Int(hops) ?? 0,
      schema: text(schema), version: Int(version) ?? 0, body: body, sequence: sequence)
  }

  private static func word(_ text: String) -> String { NATSSubject.escape(word: text) }
  private static func text(_ word: Substring) -> String {
    word.utf8.contains(UInt8(ascii: "=")) ? NATSSubject.unescape(word) : String(word)
  }
}
#endif
