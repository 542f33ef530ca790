#if NATS
import Foundation
import TidingsRemote

/// What travels with a message, in one header, because the client library takes longer for each header than for all of this:
/// `Tidings: origin number hops schema version id`, each word escaped as in subjects.
enum NATSHeader {
  static let name = "Tidings"
  static let deduplication = "Nats-Msg-Id"
  static let expectedRevision = "Nats-Expected-Last-Subject-Sequence"

  /// A message without the header, of a program without this library, has an empty schema, which no schema reads.
  static func decode(_ header: String?, subject: String, body: Data, sequence: UInt64) -> RemoteMessage {
    var words = (header ?? "").utf8.split(separator: UInt8(ascii: " "))[...]
    func next() -> Substring { words.popFirst().map(Substring.init) ?? "" }
    let (origin, number, hops, schema, version, id) = (next(), next(), next(), next(), next(), next())
    return RemoteMessage(
      subject: subject, id: text(id), origin: text(origin), number: UInt64(number) ?? 0, hops: Int(hops) ?? 0,
      schema: text(schema), version: Int(version) ?? 0, body: body, sequence: sequence)
  }
  private static func text(_ word: Substring) -> String {
    word.utf8.contains(UInt8(ascii: "=")) ? NATSSubject.unescape(word) : String(word)
  }
}

/// Makes messages for the broker of a batch of the relay's, which mostly have one subject, origin and schema.
struct NATSEncoder {
  /// What was escaped last.
  private struct Memo {
    private var word = ""
    private var escaped = ""
    mutating func callAsFunction(_ new: String, _ escape: (String) -> String) -> String {
      if new != word || escaped.isEmpty { (word, escaped) = (new, escape(new)) }
      return escaped
    }
  }
  private var (subject, origin, schema) = (Memo(), Memo(), Memo())

  /// - Parameter kept: Whether the broker is to recognise the message's id.
  mutating func encode(_ message: RemoteMessage, kept: Bool) -> OutgoingMessage {
    let word: (String) -> String = { NATSSubject.escape(word: $0) }
    let (subject, id) = (subject(message.subject, NATSSubject.escape), word(message.id))
    var header = origin(message.origin, word)
    header += " \(message.number) \(message.hops) "
    header += schema(message.schema, word)
    header += " \(message.version) "
    header += id
    var headers = [(NATSHeader.name, header)]
    if kept { headers.append((NATSHeader.deduplication, subject + "/" + id)) }
    return OutgoingMessage(subject: subject, headers: headers, body: message.body)
  }
}
#endif
