import Foundation

/// The stored values, field by field: for the migration of an older version.
///
/// ```swift
/// let settings = PersistentStore(file: url, version: 2) { fields, version in
///   if version < 2 {
///     fields.rename("vol", to: "volume")
///     let percents = try fields.value("volume", as: Int.self) ?? 50
///     try fields.set("volume", to: Double(percents) / 100)
///   }
/// }
/// ```
///
/// A migration runs when the store is made, and its result is saved with the next change. If it throws, the file stays as it is.
public struct PersistedFields: Sendable, Equatable {
  /// The text of each field, in the form of JSON.
  var texts: [String: Data] = [:]
  var version: Int

  init(version: Int) { self.version = version }

  /// The keys that have a value.
  public var keys: Set<String> { Set(texts.keys) }

  /// The value of a field.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The type of the value in that version.
  /// - Returns: The value; nil if there is none.
  /// - Throws: `DecodingError` if the field has another type.
  public func value<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value? {
    try texts[key].map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Sets a field.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value.
  /// - Throws: `EncodingError` if the value cannot be encoded.
  public mutating func set(_ key: String, to value: some Encodable) throws { texts[key] = try Self.text(of: value) }

  /// Gives a field another key. It does nothing if there is no such field.
  ///
  /// - Parameters:
  ///   - old: The key so far.
  ///   - new: The key from now on; a field that has it is replaced.
  public mutating func rename(_ old: String, to new: String) {
    if let text = texts.removeValue(forKey: old) { texts[new] = text }
  }

  /// Removes a field.
  ///
  /// - Parameter key: The key.
  public mutating func remove(_ key: String) { texts[key] = nil }

  static func text(of value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    // The same value has the same text.
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }
}

extension PersistedFields {
  struct FormatError: Error, CustomStringConvertible { let description: String }

  /// Reads what `data` writes.
  init(_ data: Data) throws {
    _ = try JSONSerialization.jsonObject(with: data)
    let members = try JSONMembers.texts(of: data)
    guard let version = members["version"], let values = members["values"] else {
      throw FormatError(description: "it has no version or no values")
    }
    self.version = try JSONDecoder().decode(Int.self, from: version)
    texts = try JSONMembers.texts(of: values)
  }

  /// The text in the file: a field in each line, so that a person can read and compare it.
  var data: Data {
    get throws {
      var text = "{\n  \"version\": \(version),\n  \"values\": {"
      for (index, key) in texts.keys.sorted().enumerated() {
        text += index == 0 ? "\n" : ",\n"
        text +=
          "    \(String(decoding: try Self.text(of: key), as: UTF8.self)): \(String(decoding: texts[key]!, as: UTF8.self))"
      }
      return Data((text + (texts.isEmpty ? "}\n}\n" : "\n  }\n}\n")).utf8)
    }
  }
}

/// The members of a JSON object as they are written: decoding and encoding a number could change it.
enum JSONMembers {
  /// - Parameter data: The text of an object that was found to be valid.
  static func texts(of data: Data) throws -> [String: Data] {
    let bytes = [UInt8](data)
    var (texts, place) = ([String: Data](), 0)
    func skipSpace() { while place < bytes.count, bytes[place] <= 0x20 { place += 1 } }
    /// Moves behind a value.
    func skipValue() {
      var (depth, isString) = (0, false)
      while place < bytes.count {
        let byte = bytes[place]
        if isString {
          if byte == UInt8(ascii: "\\") { place += 1 } else if byte == UInt8(ascii: "\"") { isString = false }
        } else if byte == UInt8(ascii: "\"") {
          isString = true
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          depth += 1
        } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
          if depth == 0 { return }
          depth -= 1
        } else if depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
          return
        }
        place += 1
      }
    }
    func text(from start: Int) -> Data {
      var end = place
      while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
      return Data(bytes[start..<end])
    }
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: "{") else {
      throw PersistedFields.FormatError(description: "it is no object")
    }
    place += 1
    while true {
      skipSpace()
      guard place < bytes.count, bytes[place] != UInt8(ascii: "}") else { return texts }
      var start = place
      skipValue()
      let key = try JSONDecoder().decode(String.self, from: text(from: start))
      place += 1
      skipSpace()
      start = place
      skipValue()
      texts[key] = text(from: start)
      if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place += 1 }
    }
  }
}
