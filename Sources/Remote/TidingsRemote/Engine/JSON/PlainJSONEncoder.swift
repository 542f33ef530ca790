/// The encoder of one value.
struct PlainJSONEncoder: Encoder {
  let output: PlainJSONOutput
  /// The place where the value begins: nothing is written there before its first container, and no second container.
  let start: Int

  /// A type that looks where it is may write something else there.
  var codingPath: [any CodingKey] {
    output.giveUp()
    return []
  }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if output.count != start { output.giveUp() }
    return KeyedEncodingContainer(PlainJSONKeys(output: output, place: output.begin(UInt8(ascii: "{"))))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if output.count != start { output.giveUp() }
    return PlainJSONElements(output: output, place: output.begin(UInt8(ascii: "[")))
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { PlainJSONSingle(output: output, start: start) }
}

private struct PlainJSONKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: PlainJSONOutput
  let place: PlainJSONOutput.Place
  var codingPath: [any CodingKey] {
    output.giveUp()
    return []
  }

  private func key(_ key: Key) throws -> PlainJSONOutput {
    try output.key(key.stringValue, place)
    return output
  }
  func encodeNil(forKey key: Key) throws { try self.key(key).writeNil() }
  func encode(_ value: Bool, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: String, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Double, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Float, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Int, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Int8, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Int16, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Int32, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: Int64, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: UInt, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: UInt8, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: UInt16, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: UInt32, forKey key: Key) throws { try self.key(key).write(value) }
  func encode(_ value: UInt64, forKey key: Key) throws { try self.key(key).write(value) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try self.key(key).writeValue(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    if (try? self.key(key)) == nil { output.giveUp() }
    return KeyedEncodingContainer(PlainJSONKeys<Nested>(output: output, place: output.begin(UInt8(ascii: "{"))))
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    if (try? self.key(key)) == nil { output.giveUp() }
    return PlainJSONElements(output: output, place: output.begin(UInt8(ascii: "[")))
  }
  func superEncoder() -> any Encoder { unknown() }
  func superEncoder(forKey key: Key) -> any Encoder { unknown() }
  private func unknown() -> PlainJSONEncoder {
    output.giveUp()
    return PlainJSONEncoder(output: output, start: -1)
  }
}

private struct PlainJSONElements: UnkeyedEncodingContainer {
  let output: PlainJSONOutput
  let place: PlainJSONOutput.Place
  var codingPath: [any CodingKey] {
    output.giveUp()
    return []
  }
  private(set) var count = 0

  init(output: PlainJSONOutput, place: PlainJSONOutput.Place) { (self.output, self.place) = (output, place) }

  private mutating func next() throws -> PlainJSONOutput {
    try output.element(place)
    count += 1
    return output
  }
  mutating func encodeNil() throws { try next().writeNil() }
  mutating func encode(_ value: Bool) throws { try next().write(value) }
  mutating func encode(_ value: String) throws { try next().write(value) }
  mutating func encode(_ value: Double) throws { try next().write(value) }
  mutating func encode(_ value: Float) throws { try next().write(value) }
  mutating func encode(_ value: Int) throws { try next().write(value) }
  mutating func encode(_ value: Int8) throws { try next().write(value) }
  mutating func encode(_ value: Int16) throws { try next().write(value) }
  mutating func encode(_ value: Int32) throws { try next().write(value) }
  mutating func encode(_ value: Int64) throws { try next().write(value) }
  mutating func encode(_ value: UInt) throws { try next().write(value) }
  mutating func encode(_ value: UInt8) throws { try next().write(value) }
  mutating func encode(_ value: UInt16) throws { try next().write(value) }
  mutating func encode(_ value: UInt32) throws { try next().write(value) }
  mutating func encode(_ value: UInt64) throws { try next().write(value) }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try next().writeValue(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    if (try? next()) == nil { output.giveUp() }
    return KeyedEncodingContainer(PlainJSONKeys<Nested>(output: output, place: output.begin(UInt8(ascii: "{"))))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    if (try? next()) == nil { output.giveUp() }
    return PlainJSONElements(output: output, place: output.begin(UInt8(ascii: "[")))
  }
  mutating func superEncoder() -> any Encoder {
    output.giveUp()
    return PlainJSONEncoder(output: output, start: -1)
  }
}

private struct PlainJSONSingle: SingleValueEncodingContainer {
  let output: PlainJSONOutput
  let start: Int
  var codingPath: [any CodingKey] {
    output.giveUp()
    return []
  }

  private func once() throws -> PlainJSONOutput {
    if output.count != start { throw output.giveUp() }
    return output
  }
  func encodeNil() throws { try once().writeNil() }
  func encode(_ value: Bool) throws { try once().write(value) }
  func encode(_ value: String) throws { try once().write(value) }
  func encode(_ value: Double) throws { try once().write(value) }
  func encode(_ value: Float) throws { try once().write(value) }
  func encode(_ value: Int) throws { try once().write(value) }
  func encode(_ value: Int8) throws { try once().write(value) }
  func encode(_ value: Int16) throws { try once().write(value) }
  func encode(_ value: Int32) throws { try once().write(value) }
  func encode(_ value: Int64) throws { try once().write(value) }
  func encode(_ value: UInt) throws { try once().write(value) }
  func encode(_ value: UInt8) throws { try once().write(value) }
  func encode(_ value: UInt16) throws { try once().write(value) }
  func encode(_ value: UInt32) throws { try once().write(value) }
  func encode(_ value: UInt64) throws { try once().write(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try once().writeValue(value) }
}
