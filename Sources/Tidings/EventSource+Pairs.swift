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
  /// The other source alone causes nothing. A value source is asked for what it is at that moment, so
  /// `withLatest(from: price.changes(.initial))` has its value from the beginning. The subscription has one order of both,
  /// as with `merge`, and ends with this source.
  ///
  /// - Parameter other: The source of which the latest value is taken.
  @_alwaysEmitIntoClient
  public func withLatest<Other: Sendable>(
    from other: some EventSource<Other>
  ) -> Operated<(Payload, Other)> {
    Operated.joined(self, other).operated { pass in
      let latest = OperatorState<Other?>(nil)
      return { either, passage in
        switch either {
        case .first(let value): if let other = latest.value { pass((value, other), passage) }
        case .second(let other): latest.value = other
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
    Operated.relayed([map { Either<Payload, Other>.first($0) }, other.map { .second($0) }]).operated { pass in
      let waiting = OperatorState<(first: Waiting<Payload>, second: Waiting<Other>)>((Waiting(), Waiting()))
      return { either, passage in
        switch either {
        case .first(let value):
          if let other = waiting.value.second.take() {
            pass((value, other), passage)
          } else {
            waiting.value.first.add(value)
          }
        case .second(let other):
          if let value = waiting.value.first.take() {
            pass((value, other), passage)
          } else {
            waiting.value.second.add(other)
          }
        }
      }
    }
  }
}

/// The values that one source of `zip` is ahead.
@usableFromInline
struct Waiting<Value> {
  @usableFromInline var values: [Value] = []
  /// How many at the front have been taken: removing each would move all the others.
  @usableFromInline var taken = 0

  @_alwaysEmitIntoClient init() {}

  @_alwaysEmitIntoClient
  mutating func add(_ value: Value) { values.append(value) }

  @_alwaysEmitIntoClient
  mutating func take() -> Value? {
    guard taken < values.count else { return nil }
    let value = values[taken]
    taken += 1
    if taken == values.count || taken >= 64 && taken * 2 > values.count {
      values.removeFirst(taken)
      taken = 0
    }
    return value
  }
}
