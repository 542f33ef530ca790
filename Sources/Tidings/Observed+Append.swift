// Compiled by who uses them; the door behind them is `changeInPlace`.

extension Observed {
  /// Adds an element at the end of the array, atomically, and in place where nobody else holds the array.
  ///
  /// ```swift
  /// log.append("opened")
  /// ```
  ///
  /// One change like any other: what depends on the array is computed again, handlers are notified of old and new, and in a
  /// ``transaction(isolation:_:)`` it appears with the other writes.
  ///
  /// The storage is copied where somebody needs the array before the change: a handler of this value, a computation under way,
  /// a transaction, a change policy, whoever keeps an array that was read. Otherwise it is not, as it is in
  /// ``update(isolation:_:)``, whose closure may read the value itself.
  ///
  /// - Parameters:
  ///   - element: What is added.
  ///   - isolation: The caller's actor, found by the compiler; do not pass it.
  /// - Complexity: O(1) on average where nobody else holds the array, else O(*n*); and what handlers do.
  @_alwaysEmitIntoClient
  public func append<Element>(
    _ element: Element, isolation: isolated (any Actor)? = #isolation
  ) where Value == [Element] {
    if changeInPlace(cell.node, isolation, { $0.assumingMemoryBound(to: [Element].self).pointee.append(element) }) {
      return
    }
    update(isolation: isolation) { $0.append(element) }
  }

  /// Adds elements at the end of the array, atomically, and in place where nobody else holds the array: as ``append(_:isolation:)``.
  ///
  /// - Parameters:
  ///   - elements: What is added.
  ///   - isolation: The caller's actor, found by the compiler; do not pass it.
  /// - Complexity: O(*m*) on average in what is added where nobody else holds the array, else O(*n* + *m*); and what handlers do.
  @_alwaysEmitIntoClient
  public func append<Element>(
    contentsOf elements: [Element], isolation: isolated (any Actor)? = #isolation
  ) where Value == [Element] {
    if changeInPlace(
      cell.node, isolation, { $0.assumingMemoryBound(to: [Element].self).pointee.append(contentsOf: elements) })
    {
      return
    }
    update(isolation: isolation) { $0.append(contentsOf: elements) }
  }
}
