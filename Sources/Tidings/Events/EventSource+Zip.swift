// Operators over two sources. Emitted into the client that uses them, as those of one.
extension EventSource {
  /// Each value together with the latest value of another source, once that one has emitted.
  ///
  /// ```swift
  /// let quoted = ordered.withLatest(from: priced)   // AnyEventSource<(Order, Double)>
  /// ```
  ///
  /// A value of the other source alone delivers nothing. If the other source is a value,
  /// `withLatest(from: price.changes(.initial))` has its current value from the beginning. A subscription has one order of
  /// both sources, as with `merge`, and ends with this source.
  ///
  /// - Parameter other: The source whose latest value is taken.
  /// - Returns: A source of the pairs.
  @_alwaysEmitIntoClient
  public func withLatest<Other: Sendable>(
    from other: some EventSource<Other>
  ) -> AnyEventSource<(Payload, Other)> {
    AnyEventSource.joined(self, other).transformed { pass in
      let latest = OperatorState<Other?>(nil)
      return { item, context in
        if let other = item.1 {
          latest.value = other
        } else if let value = item.0, let other = latest.value {
          pass((value, other), context)
        }
      }
    }
  }

  /// The first values of both sources together, then the second ones, and so on.
  ///
  /// ```swift
  /// let matched = bought.zip(sold)   // AnyEventSource<(Trade, Trade)>
  /// ```
  ///
  /// Values of the source that is ahead are buffered, without a limit. A subscription has one order of both sources, as with
  /// `merge`, and ends with the last of them.
  ///
  /// - Parameter other: The source of the second element of each pair.
  /// - Returns: A source of the pairs.
  @_alwaysEmitIntoClient
  public func zip<Other: Sendable>(_ other: some EventSource<Other>) -> AnyEventSource<(Payload, Other)> {
    let both = AnyEventSource<(Payload?, Other?)>.relayed([map { ($0, nil) }, other.map { (nil, $0) }])
    return both.transformed { pass in
      // The buffered values of the source that is ahead; `taken` is the index of the first that has not been paired, because
      // removing each value would move all others.
      let state = OperatorState<(first: [Payload], second: [Other], taken: Int)>(([], [], 0))
      return { item, context in
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
        pass(pair, context)
      }
    }
  }
}
