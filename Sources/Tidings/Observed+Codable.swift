extension Observed: Encodable where Value: Encodable {
  /// Writes the value as if it stood there without this object.
  ///
  /// - Parameter encoder: Takes the value, as of the moment of the call.
  /// - Throws: What the value or the encoder throws.
  public func encode(to encoder: any Encoder) throws { try untracked { value }.encode(to: encoder) }
}

extension Observed: Decodable where Value: Decodable {
  /// A new value without a label or a change policy, from what ``encode(to:)`` or a plain value has written.
  ///
  /// ```swift
  /// struct Settings: Codable {
  ///   let volume: Observed<Double>
  /// }
  /// ```
  ///
  /// To load into a value that exists and has handlers, decode the plain value and `set` it.
  ///
  /// - Parameter decoder: Gives the value.
  /// - Throws: What the value or the decoder throws.
  public convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
