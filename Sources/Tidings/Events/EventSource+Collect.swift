// Operators over several values. Emitted into the client that uses them: each is little more than closures.
extension EventSource {
  /// Each value with the one before it, from the second value on.
  ///
  /// ```swift
  /// let moves = priced.pairwise().map { $0.1 - $0.0 }
  /// ```
  ///
  /// - Returns: A source of the pairs, the earlier value first.
  @_alwaysEmitIntoClient
  public func pairwise() -> AnyEventSource<(Payload, Payload)> {
    oneAtATime.transformed { pass in
      let last = OperatorState<Payload?>(nil)
      return { value, context in
        let old = last.value
        last.value = value
        if let old { pass((old, value), context) }
      }
    }
  }

  /// The values in arrays of `count`, each delivered when it is full.
  ///
  /// ```swift
  /// let pages = traded.collect(100)
  /// ```
  ///
  /// An array that is not full when the subscription ends is not delivered. ``EventStream/batches(upTo:)`` does not wait
  /// until an array is full.
  ///
  /// - Parameter count: The number of values in an array, at least 1.
  /// - Returns: A source of the arrays.
  @_alwaysEmitIntoClient
  public func collect(_ count: Int) -> AnyEventSource<[Payload]> {
    precondition(count > 0, "collect(_:) needs arrays of one value at least")
    return oneAtATime.transformed { pass in
      let collected = OperatorState<[Payload]>([])
      return { value, context in
        collected.value.append(value)
        if collected.value.count < count { return }
        let full = collected.value
        collected.value = []
        pass(full, context)
      }
    }
  }

  /// The accumulated result of `next`, which changes it in place, delivered for every value.
  ///
  /// ```swift
  /// let volumes = traded.scan(into: [:]) { volume, trade in volume[trade.symbol, default: 0] += trade.quantity }
  /// ```
  ///
  /// As `scan(_:_:)`: each subscription begins again with `initial`, which is not delivered itself. If a handler retains a
  /// result, the next change copies it.
  ///
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - next: Applies a value to the result.
  /// - Returns: A source of the results.
  @_alwaysEmitIntoClient
  public func scan<Result: Sendable>(
    into initial: Result, _ next: @escaping @Sendable (inout Result, Payload) -> Void
  ) -> AnyEventSource<Result> {
    oneAtATime.transformed { pass in
      let state = OperatorState(initial)
      return { value, context in
        next(&state.value, value)
        pass(state.value, context)
      }
    }
  }
}
