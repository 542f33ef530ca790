/// The decoder of one value.
struct PlainJSONDecoder: Decoder {
  let document: PlainJSONDocument
  let index: Int

  /// A type that looks where it is may read something else there.
  var codingPath: [any CodingKey] {
    document.giveUp()
    return []
  }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.tokens[index].kind == .object else { throw document.giveUp() }
    return KeyedDecodingContainer(PlainJSONValues(document: document, index: index))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.tokens[index].kind == .array else { throw document.giveUp() }
    return PlainJSONItems(document: document, index: index)
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    PlainJSONItem(document: document, index: index)
  }
}

private struct PlainJSONValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let document: PlainJSONDocument
  let index: Int
  var codingPath: [any CodingKey] {
    document.giveUp()
    return []
  }
  private var tokens: Range<Int> { index + 1..<Int(document.tokens[index].next) }

  var allKeys: [Key] {
    var (keys, key) = ([Key](), tokens.lowerBound)
    while key < tokens.upperBound {
      if let known = Key(stringValue: document.key(key)) { keys.append(known) }
      key = Int(document.tokens[key + 1].next)
    }
    return keys
  }
  private func find(_ key: Key) -> Int? {
    var name = key.stringValue
    return name.withUTF8 { name in
      // Some of other alphabets are equal to ASCII's.
      for byte in name where byte >= 0x80 { document.giveUp() }
      return document.find(name, in: index)
    }
  }
  func contains(_ key: Key) -> Bool { find(key) != nil }
  private func value(_ key: Key) throws -> Int {
    guard let index = find(key) else { throw document.giveUp() }
    return index
  }
  func decodeNil(forKey key: Key) throws -> Bool { document.tokens[try value(key)].kind == .null }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(value(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.string(value(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.double(value(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.float(value(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try document.integer(value(key)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try document.integer(value(key)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try document.integer(value(key)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try document.integer(value(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try document.integer(value(key)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try document.integer(value(key)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try document.integer(value(key)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try document.integer(value(key)) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try document.integer(value(key)) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try document.integer(value(key)) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try document.read(type, at: value(key))
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try PlainJSONDecoder(document: document, index: value(key)).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try PlainJSONDecoder(document: document, index: value(key)).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { throw document.giveUp() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw document.giveUp() }
}

private struct PlainJSONItems: UnkeyedDecodingContainer {
  let document: PlainJSONDocument
  private let array: Int
  private var next: Int
  private(set) var currentIndex = 0
  var count: Int? { Int(document.tokens[array].count) }
  var isAtEnd: Bool { currentIndex == Int(document.tokens[array].count) }
  var codingPath: [any CodingKey] {
    document.giveUp()
    return []
  }

  init(document: PlainJSONDocument, index: Int) { (self.document, array, next) = (document, index, index + 1) }

  private func peek() throws -> Int {
    if isAtEnd { throw document.giveUp() }
    return next
  }
  private mutating func item<Value>(_ read: (Int) throws -> Value) throws -> Value {
    let value = try read(peek())
    next = Int(document.tokens[next].next)
    currentIndex += 1
    return value
  }
  mutating func decodeNil() throws -> Bool {
    guard document.tokens[try peek()].kind == .null else { return false }
    return try item { _ in true }
  }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try item(document.bool) }
  mutating func decode(_ type: String.Type) throws -> String { try item(document.string) }
  mutating func decode(_ type: Double.Type) throws -> Double { try item(document.double) }
  mutating func decode(_ type: Float.Type) throws -> Float { try item(document.float) }
  mutating func decode(_ type: Int.Type) throws -> Int { try item(document.integer) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try item(document.integer) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try item(document.integer) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try item(document.integer) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try item(document.integer) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try item(document.integer) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try item(document.integer) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try item(document.integer) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try item(document.integer) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try item(document.integer) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try item { [document] in try document.read(type, at: $0) }
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try item { [document] in try PlainJSONDecoder(document: document, index: $0).container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try item { [document] in try PlainJSONDecoder(document: document, index: $0).unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { throw document.giveUp() }
}

private struct PlainJSONItem: SingleValueDecodingContainer {
  let document: PlainJSONDocument
  let index: Int
  var codingPath: [any CodingKey] {
    document.giveUp()
    return []
  }
  func decodeNil() -> Bool { document.tokens[index].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try document.bool(index) }
  func decode(_ type: String.Type) throws -> String { try document.string(index) }
  func decode(_ type: Double.Type) throws -> Double { try document.double(index) }
  func decode(_ type: Float.Type) throws -> Float { try document.float(index) }
  func decode(_ type: Int.Type) throws -> Int { try document.integer(index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(index) }
  func decode(_ type: UInt.Type) throws -> UInt { try document.integer(index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(index) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.read(type, at: index) }
}
