// Operators over several values or two sources. Compiled by who uses them: each is little but closures.
extension EventSource {
  /// Each value with the one before it, from the second value on.
  ///
  /// ```swift
  /// let moves = priced.pairwise().map { $0.1 - $0.0 }
  /// ```
  @_alwaysEmitIntoClient
  public func pairwise() -> Operated<(Payload, Payload)> {
    oneAtATime.operated { pass in
      let last = OperatorState<Payload?>(nil)
      return { value, passage in
        let old = last.value
        last.value = value
        if let old { pass((old, value), passage) }
      }
    }
  }

  /// The values in arrays of `count`, each when it is full.
  ///
  /// ```swift
  /// let pages = traded.collect(100)
  /// ```
  ///
  /// What is in an array that is not full when the subscription ends is not delivered. ``EventStream/batches(upTo:)`` does
  /// not wait until there are so many.
  ///
  /// - Parameter count: How many values an array has, at least 1.
  @_alwaysEmitIntoClient
  public func collect(_ count: Int) -> Operated<[Payload]> {
    precondition(count > 0, "collect(_:) needs arrays of one value at least")
    return oneAtATime.operated { pass in
      let collected = OperatorState<[Payload]>([])
      return { value, passage in
        collected.value.append(value)
        if collected.value.count < count { return }
        let full = collected.value
        collected.value = []
        pass(full, passage)
      }
    }
  }

  /// The running result of `next`, which changes it in place.
  ///
  /// ```swift
  /// let volumes = traded.scan(into: [:]) { volume, trade in volume[trade.symbol, default: 0] += trade.quantity }
  /// ```
  ///
  /// As `scan(_:_:)`: each subscription begins anew with `initial`, which is not delivered itself. A result that a handler
  /// keeps is copied by the next change.
  ///
  /// - Parameters:
  ///   - initial: What the first value changes.
  ///   - next: Takes a value up into the result.
  @_alwaysEmitIntoClient
  public func scan<Result: Sendable>(
    into initial: Result, _ next: @escaping @Sendable (inout Result, Payload) -> Void
  ) -> Operated<Result> {
    oneAtATime.operated { pass in
      let state = OperatorState(initial)
      return { value, passage in
        next(&state.value, value)
        pass(state.value, passage)
      }
    }
  }

  /// Each value together with the latest of another source, once that has emitted.
  ///
  /// ```swift
  /// let quoted = ordered.withLatest(from: priced)   // Operated<(Order, Double)>
  /// ```
  ///
  /// The other source alone causes nothing. Of a value, `withLatest(from: price.changes(.initial))` has the value of the moment
  /// from the beginning. The subscription has one order of both,
  /// as with `merge`, and ends with this source.
  ///
  /// - Parameter other: The source of which the latest value is taken.
  @_alwaysEmitIntoClient
  public func withLatest<Other: Sendable>(
    from other: some EventSource<Other>
  ) -> Operated<(Payload, Other)> {
    Operated.joined(self, other).operated { pass in
      let latest = OperatorState<Other?>(nil)
      return { item, passage in
        if let other = item.1 {
          latest.value = other
        } else if let value = item.0, let other = latest.value {
          pass((value, other), passage)
        }
      }
    }
  }

  /// The first values of both sources together, then the second ones, and so on.
  ///
  /// ```swift
  /// let matched = bought.zip(sold)   // Operated<(Trade, Trade)>
  /// ```
  ///
  /// What one source is ahead of the other waits, without a limit. The subscription has one order of both, as with `merge`,
  /// and ends with the last of them.
  ///
  /// - Parameter other: The source of the second halves.
  @_alwaysEmitIntoClient
  public func zip<Other: Sendable>(_ other: some EventSource<Other>) -> Operated<(Payload, Other)> {
    let both = Operated<(Payload?, Other?)>.relayed([map { ($0, nil) }, other.map { (nil, $0) }])
    return both.operated { pass in
      // The values that one source is ahead: from the first that has not been taken on, as removing each would move the others.
      let state = OperatorState<(first: [Payload], second: [Other], taken: Int)>(([], [], 0))
      return { item, passage in
        if let value = item.0 { state.value.first.append(value) }
        if let other = item.1 { state.value.second.append(other) }
        let taken = state.value.taken
        let (first, second) = (state.value.first.count, state.value.second.count)
        guard taken < first, taken < second else { return }
        let pair = (state.value.first[taken], state.value.second[taken])
        state.value.taken += 1
        if state.value.taken == min(first, second), state.value.taken >= 64 || first == second {
          state.value.first.removeFirst(state.value.taken)
          state.value.second.removeFirst(state.value.taken)
          state.value.taken = 0
        }
        pass(pair, passage)
      }
    }
  }
}
