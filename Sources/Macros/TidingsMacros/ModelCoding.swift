/// How a `Codable` model writes and reads its properties: as the compiler's own conformance does, an optional that is nil
/// being left out. The overload is chosen where the macro's code is compiled, as only the compiler knows the types.
public enum ModelCoding {
  /// Writes a value under its key.
  @_disfavoredOverload
  public static func encode<Key, Value: Encodable>(
    _ value: Value, to container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws {
    try container.encode(value, forKey: key)
  }

  /// Writes an optional under its key, or nothing.
  public static func encode<Key, Value: Encodable>(
    _ value: Value?, to container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws {
    try container.encodeIfPresent(value, forKey: key)
  }

  /// The value of a key, which must be there.
  @_disfavoredOverload
  public static func decode<Key, Value: Decodable>(
    _ key: Key, from container: KeyedDecodingContainer<Key>
  ) throws -> Value {
    try container.decode(Value.self, forKey: key)
  }

  /// The value of a key, or nil.
  public static func decode<Key, Value: Decodable>(
    _ key: Key, from container: KeyedDecodingContainer<Key>
  ) throws -> Value? {
    try container.decodeIfPresent(Value.self, forKey: key)
  }
}
