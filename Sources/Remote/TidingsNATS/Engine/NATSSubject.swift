#if NATS
/// Names as the broker takes them: what has a meaning there (wildcards, spaces, other letters than ASCII's) is written as `=`
/// and two hexadecimal digits for each byte. `=` is the one sign that subjects, keys and names of streams all allow.
enum NATSSubject {
  /// Words joined by dots; the dots stay.
  static func escape(_ name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false).map { escape(word: $0) }.joined(separator: ".")
  }

  /// One word: its dots are escaped too. An empty one is `=`.
  static func escape(word: some StringProtocol) -> String {
    if word.isEmpty { return "=" }
    if word.utf8.allSatisfy(isPlain) { return String(word) }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(word.utf8.count + 16)
    for byte in word.utf8 {
      if isPlain(byte) {
        escaped.append(byte)
      } else {
        escaped += [UInt8(ascii: "="), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  static func unescape(_ escaped: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(escaped.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        bytes.append(byte)
        continue
      }
      if let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The stream of a kept event: the subject's words joined by a sign that names of streams may have and words have not.
  static func stream(of subject: String) -> String {
    "tidings+" + escape(subject).replacing(".", with: "+")
  }
}
#endif
