/// The bytes of a text of JSON, and what they mean.
struct PlainJSONText {
  let bytes: [UInt8]
  typealias Token = PlainJSONDocument.Token

  /// The index of a key's value, among the tokens of an object.
  func find(_ key: UnsafeBufferPointer<UInt8>, in tokens: [Token], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      let token = tokens[index]
      if Int(token.end - token.start) == key.count, isEqual(key, at: Int(token.start)) { return index + 1 }
      index = Int(tokens[index + 1].next)
    }
    return nil
  }
  private func isEqual(_ key: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    for place in key.indices where bytes[start + place] != key[place] { return false }
    return true
  }

  /// The character that an escape of one character denotes.
  static func unescaped(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  func string(_ token: Token) -> String? {
    let text = bytes[token.range]
    switch token.kind {
    case .string: return String(decoding: text, as: UTF8.self)
    case .escaped:
      var (unescaped, rest) = ([UInt8](), text)
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
          unescaped.append(Self.unescaped(escaped) ?? escaped)
        } else {
          unescaped.append(byte)
        }
      }
      return String(decoding: unescaped, as: UTF8.self)
    default: return nil
    }
  }
  /// Whole numbers without fraction and exponent.
  func integer(_ token: Token) -> (isNegative: Bool, magnitude: UInt64)? {
    guard token.kind == .number else { return nil }
    let isNegative = bytes[Int(token.start)] == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    // So few digits that no number overflows; others are Foundation's.
    guard token.range.count < 19 else { return nil }
    for place in token.range.dropFirst(isNegative ? 1 : 0) {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      magnitude = magnitude &* 10 &+ UInt64(digit)
    }
    return (isNegative, magnitude)
  }
  /// Returns nil for zero with an exponent, and for a number too small for a `Double`: Foundation rejects both.
  func double(_ token: Token) -> Double? {
    guard token.kind == .number else { return nil }
    if let exact = exact(token.range) { return exact }
    let value = Double(String(decoding: bytes[token.range], as: UTF8.self))
    return value.flatMap { $0.isFinite && !$0.isZero ? $0 : nil }
  }
  func float(_ token: Token) -> Float? {
    guard token.kind == .number else { return nil }
    if let exact = exact(token.range), exact.isZero { return Float(exact) }
    let value = Float(String(decoding: bytes[token.range], as: UTF8.self))
    return value.flatMap { $0.isFinite && !$0.isZero ? $0 : nil }
  }
  /// A quotient of two whole numbers that are exact as doubles is correctly rounded (Clinger's fast path).
  private func exact(_ range: Range<Int>) -> Double? {
    guard range.count <= 16 else { return nil }
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var (number, power, hasPoint) = (UInt64(0), 1.0, false)
    for place in range.dropFirst(isNegative ? 1 : 0) {
      let digit = bytes[place] &- UInt8(ascii: "0")
      if digit < 10 {
        number = number &* 10 &+ UInt64(digit)
        if hasPoint { power *= 10 }
      } else if bytes[place] == UInt8(ascii: ".") {
        hasPoint = true
      } else {
        return nil
      }
    }
    guard number < 1 << 53 else { return nil }
    let value = Double(number) / power
    return isNegative ? -value : value
  }
}
