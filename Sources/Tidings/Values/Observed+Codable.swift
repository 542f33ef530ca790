extension Observed: Encodable where Value: Encodable {
  /// Encodes the value as if it were not wrapped in this object.
  ///
  /// - Parameter encoder: Receives the value at the moment of the call.
  /// - Throws: What the value or the encoder throws.
  public func encode(to encoder: any Encoder) throws { try untracked { value }.encode(to: encoder) }
}

extension Observed: Decodable where Value: Decodable {
  /// Decodes a new value without a label or a change policy, from what ``encode(to:)`` or a plain value has written.
  ///
  /// ```swift
  /// struct Settings: Codable {
  ///   let volume: Observed<Double>
  /// }
  /// ```
  ///
  /// To load into an existing value that has handlers, decode the plain value and `set` it.
  ///
  /// - Parameter decoder: Supplies the value.
  /// - Throws: What the value or the decoder throws.
  public convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
