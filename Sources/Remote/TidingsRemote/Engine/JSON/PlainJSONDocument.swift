import Foundation

/// A text of JSON, checked as a whole, and where its values are.
final class PlainJSONDocument {
  /// A value or key in the text, without its quotation marks.
  struct Token {
    enum Kind: UInt8 { case object, array, key, string, escaped, number, bool, null }
    var kind: Kind
    let start: Int32
    var end: Int32
    /// The index of the first token after it and what it contains.
    var next: Int32
    /// The number of values of an object or array.
    var count: Int32
    var range: Range<Int> { Int(start)..<Int(end) }
  }
  let tokens: [Token]
  private let text: PlainJSONText
  private(set) var hasGivenUp = false

  /// Nil for what is not well formed, or not known here.
  init?(_ data: Data) {
    guard data.count < 1 << 20 else { return nil }
    text = PlainJSONText(bytes: [UInt8](data))
    var parser = PlainJSONParser(text)
    guard parser.parse() else { return nil }
    tokens = parser.tokens
    for byte in text.bytes where byte >= 0x80 {
      if String(validating: text.bytes, as: UTF8.self) == nil { return nil }
      break
    }
  }

  @discardableResult
  func giveUp() -> PlainJSON.Unknown {
    hasGivenUp = true
    return PlainJSON.Unknown()
  }

  func find(_ key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    text.find(key, in: tokens, object + 1..<Int(tokens[object].next))
  }
  func key(_ index: Int) -> String { String(decoding: text.bytes[tokens[index].range], as: UTF8.self) }

  func string(_ index: Int) throws -> String {
    guard let string = text.string(tokens[index]) else { throw giveUp() }
    return string
  }
  func bool(_ index: Int) throws -> Bool {
    guard tokens[index].kind == .bool else { throw giveUp() }
    return text.bytes[Int(tokens[index].start)] == UInt8(ascii: "t")
  }
  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ index: Int) throws -> Value {
    guard let (isNegative, magnitude) = text.integer(tokens[index]) else { throw giveUp() }
    // Fewer than 19 digits fit into 64 bits with their sign.
    guard let value = Value(exactly: isNegative ? -Int64(magnitude) : Int64(magnitude)) else { throw giveUp() }
    return value
  }
  func double(_ index: Int) throws -> Double {
    guard let value = text.double(tokens[index]) else { throw giveUp() }
    return value
  }
  func float(_ index: Int) throws -> Float {
    guard let value = text.float(tokens[index]) else { throw giveUp() }
    return value
  }
  func read<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if PlainJSON.isSpecial(type) { throw giveUp() }
    do { return try type.init(from: PlainJSONDecoder(document: self, index: index)) } catch {
      // The payload's own code may catch this error, which differs from Foundation's.
      giveUp()
      throw error
    }
  }
}
