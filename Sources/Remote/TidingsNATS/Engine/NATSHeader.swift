#if NATS
import Foundation
import TidingsRemote

/// The fields that travel with a message, in one header: `Tidings: origin number hops schema version id`, each word escaped as in
/// subjects. One header more would take the client library longer than all these fields do.
enum NATSHeader {
  static let name = "Tidings"
  static let deduplication = "Nats-Msg-Id"
  /// A deleted key leaves a mark with this header.
  static let operation = "KV-Operation"
  static let expectedRevision = "Nats-Expected-Last-Subject-Sequence"

  /// Decodes a message that was read from the store. Use one `NATSDecoder` for many messages.
  static func decode(_ header: String?, subject: String, body: Data, sequence: UInt64) -> RemoteMessage {
    var (decoder, header) = (NATSDecoder(), header ?? "")
    return header.withUTF8 {
      decoder.decode(UnsafeRawBufferPointer($0), subject: subject, body: body, sequence: sequence)
    }
  }
}

/// Makes messages of those of the broker, which mostly have one origin and schema.
struct NATSDecoder {
  /// The word that was decoded last, and its text.
  private struct CachedField {
    private var word: [UInt8] = []
    private var text = ""
    mutating func callAsFunction(_ new: Slice<UnsafeRawBufferPointer>) -> String {
      if !word.elementsEqual(new) { (word, text) = (Array(new), NATSDecoder.text(new)) }
      return text
    }
  }
  private var (origin, schema) = (CachedField(), CachedField())

  mutating func decode(
    _ message: borrowing IncomingMessage, subject: String, sequence: UInt64 = 0
  ) -> RemoteMessage {
    let body = message.body
    return message.withHeader(NATSHeader.name) {
      decode($0, subject: subject, body: body, sequence: sequence)
    }
  }

  /// A message without the header, of a program without this library, has an empty schema, which no schema reads.
  mutating func decode(
    _ header: UnsafeRawBufferPointer, subject: String, body: Data, sequence: UInt64
  ) -> RemoteMessage {
    var rest = header[...]
    func next() -> Slice<UnsafeRawBufferPointer> {
      let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
      defer { rest = rest[min(end + 1, rest.endIndex)...] }
      return rest[..<end]
    }
    let (origin, number, hops) = (origin(next()), Self.number(next()), Self.number(next()))
    let (schema, version, id) = (schema(next()), Self.number(next()), Self.text(next()))
    return RemoteMessage(
      subject: subject, id: id, origin: origin, number: number, hops: Int(clamping: hops), schema: schema,
      version: Int(clamping: version), body: body, sequence: sequence)
  }

  fileprivate static func text(_ word: Slice<UnsafeRawBufferPointer>) -> String {
    let text = String(decoding: word, as: UTF8.self)
    return word.contains(UInt8(ascii: "=")) ? NATSSubject.unescape(text) : text
  }
  /// 0 for none, and what the relay rejects for another text.
  private static func number(_ word: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    // At most as many digits as cannot overflow.
    guard word.count < 20 else { return .max }
    var number: UInt64 = 0
    for byte in word {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return .max }
      number = number * 10 + UInt64(digit)
    }
    return number
  }
}

/// Makes messages for the broker of a batch of the relay's, which mostly have one subject, origin and schema.
struct NATSEncoder {
  /// The word that was escaped last, and the result.
  private struct CachedField {
    private var word = ""
    private var escaped = ""
    mutating func callAsFunction(_ new: String, _ escape: (String) -> String) -> String {
      if new != word || escaped.isEmpty { (word, escaped) = (new, escape(new)) }
      return escaped
    }
  }
  private var (subject, origin, schema) = (CachedField(), CachedField(), CachedField())

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
