extension EventSource {
  /// Each value together with the current value of a value source.
  ///
  /// ```swift
  /// let quoted = ordered.withLatest(from: price)   // AnyEventSource<(Order, Double)>
  /// ```
  ///
  /// A change of the other value alone delivers nothing. A subscription has one order of both sources, as with `merge`, and ends
  /// with this source. For pairs with a ``Change`` write `withLatest(from: price.changes)`.
  ///
  /// - Parameter other: The source whose current value is taken.
  /// - Returns: A source of the pairs.
  @_alwaysEmitIntoClient
  public func withLatest<Other: Sendable>(
    from other: some ValueSource<Other>
  ) -> AnyEventSource<(Payload, Other)> {
    withLatest(from: other.changes(.initial).map { $0.new })
  }
}
