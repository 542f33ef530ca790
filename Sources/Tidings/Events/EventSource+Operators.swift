// Emitted into the client that uses them: each is little more than closures, and together they were 8 KB of every client.
extension EventSource {
  /// The result of `transform` for each value.
  ///
  /// - Parameter transform: Runs where the source delivers.
  /// - Returns: A source of the results.
  @_alwaysEmitIntoClient
  public func map<Output: Sendable>(_ transform: @escaping @Sendable (Payload) -> Output) -> AnyEventSource<Output> {
    transformed { pass in { value, context in pass(transform(value), context) } }
  }

  /// The result of `transform` for each value for which it is not nil.
  ///
  /// - Parameter transform: Runs where the source delivers. Returns nil to drop the value.
  /// - Returns: A source of the results.
  @_alwaysEmitIntoClient
  public func compactMap<Output: Sendable>(_ transform: @escaping @Sendable (Payload) -> Output?) -> AnyEventSource<
    Output
  > {
    transformed { pass in
      { value, context in if let output = transform(value) { pass(output, context) } }
    }
  }

  /// The values for which `isIncluded` returns true.
  ///
  /// - Parameter isIncluded: Runs where the source delivers. Returns false to drop the value.
  /// - Returns: A source of the values that are left.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: @escaping @Sendable (Payload) -> Bool) -> AnyEventSource<Payload> {
    transformed { pass in { value, context in if isIncluded(value) { pass(value, context) } } }
  }

  /// A stored property of each value.
  ///
  /// For modules whose default isolation is the main actor, where a key path cannot be a `@Sendable` function. A computed
  /// property of such a module is rejected with a message when this is called.
  ///
  /// - Parameter keyPath: The stored property.
  /// - Returns: A source of the property's values.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func map<Output: Sendable>(_ keyPath: KeyPath<Payload, Output>) -> AnyEventSource<Output> {
    map(storedProperty(keyPath))
  }

  /// A stored property of each value for which it is not nil, where the key path cannot be a `@Sendable` function; see
  /// `map`.
  ///
  /// - Parameter keyPath: The stored property.
  /// - Returns: A source of the property's values.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func compactMap<Output: Sendable>(_ keyPath: KeyPath<Payload, Output?>) -> AnyEventSource<Output> {
    compactMap(storedProperty(keyPath))
  }

  /// The values whose stored property is true, where the key path cannot be a `@Sendable` function; see `map`.
  ///
  /// - Parameter keyPath: The stored property.
  /// - Returns: A source of the values that are left.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func filter(_ keyPath: KeyPath<Payload, Bool>) -> AnyEventSource<Payload> {
    filter(storedProperty(keyPath))
  }

  /// The accumulated result of `next`, delivered for every value.
  ///
  /// ```swift
  /// let volume = traded.scan(0) { total, trade in total + trade.quantity }
  /// ```
  ///
  /// Each subscription begins again with `initial`, which is not delivered itself. Values pass one at a time, also when the
  /// source is `.immediate`.
  ///
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - next: Makes the next result of the last one and a value.
  /// - Returns: A source of the results.
  @_alwaysEmitIntoClient
  public func scan<Result: Sendable>(
    _ initial: Result, _ next: @escaping @Sendable (Result, Payload) -> Result
  ) -> AnyEventSource<Result> {
    oneAtATime.transformed { pass in
      let state = OperatorState(initial)
      return { value, context in
        let result = next(state.value, value)
        state.value = result
        pass(result, context)
      }
    }
  }

  /// The values that differ from the one before, compared by `areEquivalent`.
  ///
  /// The first value that a subscription receives always passes.
  ///
  /// - Parameter areEquivalent: Returns true for a value that is to be dropped, given the one before it.
  /// - Returns: A source of the values that are left.
  @_alwaysEmitIntoClient
  public func removeDuplicates(
    by areEquivalent: @escaping @Sendable (Payload, Payload) -> Bool
  ) -> AnyEventSource<Payload> {
    oneAtATime.transformed { pass in
      let last = OperatorState<Payload?>(nil)
      return { value, context in
        if let old = last.value, areEquivalent(old, value) { return }
        last.value = value
        pass(value, context)
      }
    }
  }

  /// The values of this source and of others, one at a time, in one order for each subscription.
  ///
  /// ```swift
  /// let activity = opened.merge(closed, renamed)
  /// ```
  ///
  /// Each subscription has its own order: two handlers of one `merge` may receive values of different sources in different
  /// orders. A value that a handler emits into one of the sources is received after the handler's current call, when the
  /// source's other handlers have received it. The subscription ends when the last of the sources has ended.
  ///
  /// - Parameter others: The other sources.
  /// - Returns: A source of the values of all.
  @_alwaysEmitIntoClient
  public func merge(_ others: any EventSource<Payload>...) -> AnyEventSource<Payload> {
    AnyEventSource.relayed([self] + others)
  }
}

extension EventSource where Payload: Equatable {
  /// The values that differ from the one before.
  ///
  /// - Returns: A source of the values that are left.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> AnyEventSource<Payload> { removeDuplicates(by: isSame) }
}

extension EventSource {
  /// The successes, and what a closure makes of each failure.
  ///
  /// ```swift
  /// let prices = results.catch { failure in cached[failure.symbol] }
  /// ```
  ///
  /// - Parameter recover: Returns a value in place of the failure, or nil to drop it. It runs where the source delivers.
  /// - Returns: A source of the values.
  @_alwaysEmitIntoClient
  public func `catch`<Success: Sendable, Failure>(
    _ recover: @escaping @Sendable (Failure) -> Success?
  ) -> AnyEventSource<Success> where Payload == Result<Success, Failure> {
    compactMap { result in
      switch result {
      case .success(let value): value
      case .failure(let failure): recover(failure)
      }
    }
  }
}
