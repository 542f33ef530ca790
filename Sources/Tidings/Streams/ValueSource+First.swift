extension ValueSource {
  /// Waits until the value satisfies `predicate`. If it does now, this returns immediately.
  ///
  /// ```swift
  /// let dear = await price.first { $0 > 1_000 }
  /// ```
  ///
  /// No value is passed over, also if it is replaced immediately. The predicate runs on the caller's actor, for one value at a time.
  /// `changes.first { … }` waits for a change, with old and new value.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - predicate: Returns true for the value to wait for.
  /// - Returns: The value; nil when the task is cancelled, or when the source ends and its last value does not satisfy.
  @_alwaysEmitIntoClient
  public func first(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    where predicate: (Value) -> Bool
  ) async -> Value? {
    var iterator = stream(.every, isolation: isolation, file: file, line: line).makeAsyncIterator()
    while let value = await iterator.next(isolation: isolation) {
      if predicate(value) { return value }
    }
    return nil
  }
}
