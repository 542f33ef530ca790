/// How a `Codable` model writes and reads its properties: as the compiler's own conformance does, an optional that is nil
/// being left out. The overload is chosen where the macro's code is compiled, as only the compiler knows the types.
public enum ModelCoding {
  /// Writes a value under its key.
  ///
  /// - Throws: What the container throws.
  @_disfavoredOverload
  public static func encode<Key, Value: Encodable>(
    _ value: Value, to container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws {
    try container.encode(value, forKey: key)
  }

  /// Writes an optional under its key, or nothing if it is nil.
  ///
  /// - Throws: What the container throws.
  public static func encode<Key, Value: Encodable>(
    _ value: Value?, to container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws {
    try container.encodeIfPresent(value, forKey: key)
  }

  /// The value of a key, which must be there.
  ///
  /// - Throws: A `DecodingError` if the key is missing, or its value is of another type.
  @_disfavoredOverload
  public static func decode<Key, Value: Decodable>(
    _ key: Key, from container: KeyedDecodingContainer<Key>
  ) throws -> Value {
    try container.decode(Value.self, forKey: key)
  }

  /// The value of a key, or nil if the key is missing or null.
  ///
  /// - Throws: A `DecodingError` if its value is of another type.
  public static func decode<Key, Value: Decodable>(
    _ key: Key, from container: KeyedDecodingContainer<Key>
  ) throws -> Value? {
    try container.decodeIfPresent(Value.self, forKey: key)
  }

  /// Does nothing: the superclass of the model is not coded.
  public static func checkSubclass<Model: ObservedModel>(_ model: Model.Type) {}

  /// Makes the compiler warn of a subclass whose properties would be missing in what its superclass writes.
  @available(
    *, deprecated,
    message:
      "the superclass codes its own properties, and not those of this class: write 'encode(to:)' and 'init(from:)'"
  )
  public static func checkSubclass<Model: ObservedModel & Encodable>(_ model: Model.Type) {}
}
