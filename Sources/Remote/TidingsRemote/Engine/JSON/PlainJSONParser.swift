/// Checks a text of JSON, and finds where its values are.
struct PlainJSONParser {
  typealias Token = PlainJSONDocument.Token
  let text: PlainJSONText
  private(set) var tokens: [Token] = []
  private(set) var place = 0
  private var bytes: [UInt8] { text.bytes }

  init(_ text: PlainJSONText) {
    self.text = text
    tokens.reserveCapacity(16)
  }

  /// The whole text is one value.
  mutating func parse() -> Bool {
    guard parseValue(0) else { return false }
    skipSpace()
    return place == bytes.count
  }

  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] <= 0x20 {
      guard [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) else { return }
      place += 1
    }
  }
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return skip(byte)
  }

  private mutating func parseValue(_ depth: Int) -> Bool {
    skipSpace()
    guard place < bytes.count, depth < PlainJSON.depth else { return false }
    switch bytes[place] {
    case UInt8(ascii: "{"): return parseObject(depth)
    case UInt8(ascii: "["): return parseArray(depth)
    case UInt8(ascii: "\""): return parseString(.string)
    case UInt8(ascii: "t"): return parse("true", .bool)
    case UInt8(ascii: "f"): return parse("false", .bool)
    case UInt8(ascii: "n"): return parse("null", .null)
    default: return parseNumber()
    }
  }
  private mutating func begin(_ kind: Token.Kind) -> Int {
    tokens.append(Token(kind: kind, start: Int32(place), end: 0, next: 0, count: 0))
    return tokens.count - 1
  }
  private mutating func end(_ index: Int, count: Int = 0) {
    tokens[index].end = Int32(place)
    tokens[index].next = Int32(tokens.count)
    tokens[index].count = Int32(count)
  }

  private mutating func parseObject(_ depth: Int) -> Bool {
    let index = begin(.object)
    place += 1
    var (count, keys) = (0, Set64())
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        let key = tokens.count
        // Keys that are not plain, or not unique, are Foundation's to compare.
        guard parseString(.key), tokens[key].kind == .key, isNew(key, in: index, &keys) else { return false }
        guard take(UInt8(ascii: ":")), parseValue(depth + 1) else { return false }
        count += 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { return false }
    }
    end(index, count: count)
    return true
  }
  private func isNew(_ key: Int, in object: Int, _ keys: inout Set64) -> Bool {
    let (start, end) = (Int(tokens[key].start), Int(tokens[key].end))
    for place in start..<end where bytes[place] >= 0x80 { return false }
    let (first, last) = start < end ? (bytes[start], bytes[end - 1]) : (0, 0)
    if keys.insert(Set64.place(end - start, first, last)) { return true }
    return bytes[start..<end].withUnsafeBufferPointer { text.find($0, in: tokens, object + 1..<key) == nil }
  }
  private mutating func parseArray(_ depth: Int) -> Bool {
    let index = begin(.array)
    place += 1
    var count = 0
    if !take(UInt8(ascii: "]")) {
      repeat {
        guard parseValue(depth + 1) else { return false }
        count += 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { return false }
    }
    end(index, count: count)
    return true
  }
  private mutating func parse(_ word: StaticString, _ kind: Token.Kind) -> Bool {
    let index = begin(kind)
    guard word.withUTF8Buffer({ word in bytes[place...].starts(with: word) }) else { return false }
    place += word.utf8CodeUnitCount
    end(index)
    return true
  }
  private mutating func parseString(_ kind: Token.Kind) -> Bool {
    guard skip(UInt8(ascii: "\"")) else { return false }
    let index = begin(kind)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        end(index)
        place += 1
        return true
      case UInt8(ascii: "\\"):
        // Only escapes of one character are parsed.
        guard place + 1 < bytes.count, PlainJSONText.unescaped(bytes[place + 1]) != nil else { return false }
        tokens[index].kind = .escaped
        place += 2
      case 0..<0x20: return false
      default: place += 1
      }
    }
    return false
  }
  private mutating func digits() -> Int {
    let start = place
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 { place += 1 }
    return place - start
  }
  private mutating func parseNumber() -> Bool {
    let index = begin(.number)
    _ = skip(UInt8(ascii: "-"))
    let isZero = place < bytes.count && bytes[place] == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return false }
    if skip(UInt8(ascii: ".")), digits() == 0 { return false }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "-")) || skip(UInt8(ascii: "+"))
      if digits() == 0 { return false }
    }
    end(index)
    return true
  }
}
