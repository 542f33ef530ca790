extension ValueSource {
  /// The result of `transform` for the value, as a value.
  ///
  /// ```swift
  /// let label = price.map { "\($0) €" }   // Derived<String>
  /// print(label.value)
  /// ```
  ///
  /// It can be read, observed and derived from like any ``Derived``. `transform` runs when the result is read or observed,
  /// at most once for each change, on any thread; an equal result notifies no handler. The operators on *changes* are those
  /// of ``changes``. The result retains the value, not this source.
  ///
  /// - Parameters:
  ///   - transform: Only reads, as the closure of a `Derived`. Other values that it reads are dependencies too.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The derived value.
  /// - Complexity: O(1); later a call of `transform` for each change after which the result is read or observed.
  @_alwaysEmitIntoClient
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Output, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Output> {
    let reader = reader
    return Derived(nil, file: file, line: line) { transform(reader.value) }
  }
}
