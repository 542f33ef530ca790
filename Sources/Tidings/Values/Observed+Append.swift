// Emitted into the client that uses them; `changeInPlace` is the entry point that they call.

extension Observed {
  /// Appends an element to the array, atomically, and in place if no other reference to the array exists.
  ///
  /// ```swift
  /// log.append("opened")
  /// ```
  ///
  /// It is one change like any other. Values that depend on the array are invalidated and recomputed, handlers receive old
  /// and new, and in a ``transaction(isolation:_:)`` the change appears with the other writes.
  ///
  /// The storage is copied if the array before the change is still needed: by a handler of this value, a running
  /// computation, a transaction, a change policy, or code that retains an array that it has read. ``update(isolation:_:)``
  /// always copies it, because its closure may read the value itself.
  ///
  /// - Parameters:
  ///   - element: The element to append.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(1) amortized if no other reference to the array exists, otherwise O(*n*); and what the handlers do.
  @_alwaysEmitIntoClient
  public func append<Element>(
    _ element: Element, isolation: isolated (any Actor)? = #isolation
  ) where Value == [Element] {
    if changeInPlace(cell.node, isolation, { $0.assumingMemoryBound(to: [Element].self).pointee.append(element) }) {
      return
    }
    update(isolation: isolation) { $0.append(element) }
  }

  /// Appends elements to the array, atomically, and in place if no other reference to the array exists; see
  /// ``append(_:isolation:)``.
  ///
  /// - Parameters:
  ///   - elements: The elements to append.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(*m*) amortized in the number of appended elements if no other reference to the array exists, otherwise
  ///   O(*n* + *m*); and what the handlers do.
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
