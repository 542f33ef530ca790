// Compiled by who uses them: each is little but closures, and together they were 8 KB of every client.
extension EventSource {
  /// What `transform` makes of each value.
  @_alwaysEmitIntoClient
  public func map<Output: Sendable>(_ transform: @escaping @Sendable (Payload) -> Output) -> Operated<Output> {
    operated { pass in { value, passage in pass(transform(value), passage) } }
  }

  /// What `transform` makes of each value, when it makes anything.
  @_alwaysEmitIntoClient
  public func compactMap<Output: Sendable>(_ transform: @escaping @Sendable (Payload) -> Output?) -> Operated<Output> {
    operated { pass in
      { value, passage in if let output = transform(value) { pass(output, passage) } }
    }
  }

  /// The values that `isIncluded` keeps.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: @escaping @Sendable (Payload) -> Bool) -> Operated<Payload> {
    operated { pass in { value, passage in if isIncluded(value) { pass(value, passage) } } }
  }

  /// A stored property of each value, where the key path cannot be a `@Sendable` function: in a module whose default isolation
  /// is the main actor. A computed property of such a module is refused with a message when this is called.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func map<Output: Sendable>(_ keyPath: KeyPath<Payload, Output>) -> Operated<Output> {
    map(storedProperty(keyPath))
  }

  /// A stored property of each value that has one, where the key path cannot be a `@Sendable` function; see `map`.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func compactMap<Output: Sendable>(_ keyPath: KeyPath<Payload, Output?>) -> Operated<Output> {
    compactMap(storedProperty(keyPath))
  }

  /// The values whose stored property is true, where the key path cannot be a `@Sendable` function; see `map`.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func filter(_ keyPath: KeyPath<Payload, Bool>) -> Operated<Payload> {
    filter(storedProperty(keyPath))
  }

  /// The running result of `next`, told at every value.
  ///
  /// ```swift
  /// let volume = traded.scan(0) { total, trade in total + trade.quantity }
  /// ```
  ///
  /// Each subscription begins anew with `initial`, which is not told itself. Values come one at a time, also when the source
  /// is `.immediate`.
  @_alwaysEmitIntoClient
  public func scan<Result: Sendable>(
    _ initial: Result, _ next: @escaping @Sendable (Result, Payload) -> Result
  ) -> Operated<Result> {
    oneAtATime.operated { pass in
      let state = OperatorState(initial)
      return { value, passage in
        let result = next(state.value, value)
        state.value = result
        pass(result, passage)
      }
    }
  }

  /// The values that differ from the one before, by `areEquivalent`.
  ///
  /// The first value that a subscription hears always passes.
  @_alwaysEmitIntoClient
  public func removeDuplicates(
    by areEquivalent: @escaping @Sendable (Payload, Payload) -> Bool
  ) -> Operated<Payload> {
    oneAtATime.operated { pass in
      let last = OperatorState<Payload?>(nil)
      return { value, passage in
        if let old = last.value, areEquivalent(old, value) { return }
        last.value = value
        pass(value, passage)
      }
    }
  }

  /// The values of this source and of others, one at a time, in one order for all handlers of a subscription.
  ///
  /// ```swift
  /// let activity = opened.merge(closed, renamed)
  /// ```
  ///
  /// Each subscription has an order of its own: two handlers of one merge may hear values of different sources in different
  /// order, and what a handler emits into one of the sources it hears after its current call, when the source's other
  /// handlers have heard it. The subscription ends when the last of the sources has gone.
  @_alwaysEmitIntoClient
  public func merge(_ others: any EventSource<Payload>...) -> Operated<Payload> {
    Operated.relayed([self] + others)
  }
}

extension EventSource where Payload: Equatable {
  /// The values that differ from the one before.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Operated<Payload> { removeDuplicates(by: ==) }
}
