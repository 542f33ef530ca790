/// A key, as it comes from a script or from a terminal.
enum Key: Hashable, Sendable {
  case character(Character)
  case paste(String)
  case backspace, delete
  case left, right, home, end
  case nextField, previousField
  case enter, escape
  case quit

  /// On the page.
  var name: String {
    switch self {
    case .character(let character): String(character)
    case .paste(let text): "«\(text)»"
    case .backspace: "⌫"
    case .delete: "⌦"
    case .left: "←"
    case .right: "→"
    case .home: "home"
    case .end: "end"
    case .nextField: "⇥"
    case .previousField: "⇧⇥"
    case .enter: "↵"
    case .escape: "⎋"
    case .quit: "quit"
    }
  }
}

/// Keys out of the bytes that a terminal sends, however they are cut; but for a cut behind an escape, which then is the key of
/// that name.
struct KeyDecoder {
  private var bytes: [UInt8] = []
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// The keys that are complete with these bytes.
  mutating func keys(in more: some Sequence<UInt8>) -> [Key] {
    bytes += more
    var keys: [Key] = []
    while let (key, count) = first {
      bytes.removeFirst(count)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The first key and how many bytes it is; nil while it is incomplete, a key of nil for an unknown one.
  private var first: (key: Key?, count: Int)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x1B: return escaped
    case 0x03, 0x04: return (.quit, 1)
    case 0x01: return (.home, 1)
    case 0x05: return (.end, 1)
    case 0x09: return (.nextField, 1)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0..<0x20: return (nil, 1)
    default: return character
    }
  }

  private var character: (Key?, Int)? {
    let length = bytes[0] < 0x80 ? 1 : bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    return (text.first.map(Key.character), length)
  }

  /// A sequence of control, or the escape key, which comes alone.
  private var escaped: (Key?, Int)? {
    guard bytes.count > 1 else { return (.escape, 1) }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    guard let end = bytes.indices.dropFirst(2).first(where: { (0x40...0x7E).contains(bytes[$0]) }) else { return nil }
    let sequence = String(decoding: bytes[2...end], as: UTF8.self)
    if sequence == "200~" { return pasted(from: end + 1) }
    return (Self.named[sequence], end + 1)
  }
  private static let named: [String: Key] = [
    "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "4~": .end, "3~": .delete, "A": .previousField,
    "B": .nextField, "Z": .previousField,
  ]

  private func pasted(from start: Int) -> (Key?, Int)? {
    let end = bytes.indices.first { $0 >= start && bytes[$0...].starts(with: Self.pasteEnd) }
    return end.map { (.paste(String(decoding: bytes[start..<$0], as: UTF8.self)), $0 + Self.pasteEnd.count) }
  }
}
