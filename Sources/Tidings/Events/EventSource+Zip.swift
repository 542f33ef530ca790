// Operators over two sources. Emitted into the client that uses them, as those of one.
extension EventSource {
  /// Each value together with the latest value of another source, once that one has emitted.
  ///
  /// ```swift
  /// let quoted = ordered.withLatest(from: priced)   // AnyEventSource<(Order, Double)>
  /// ```
  ///
  /// A value of the other source alone delivers nothing. A subscription has one order of both sources, as with `merge`, and ends
  /// with this source.
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
  /// `merge`. It ends when a source has ended and each of its values has been paired: no further pair is possible. After an end
  /// that came while the subscription was paused, it ends with the other source.
  ///
  /// - Parameter other: The source of the second element of each pair.
  /// - Returns: A source of the pairs.
  /// - Complexity: O(1) for each value, amortized.
  @_alwaysEmitIntoClient
  public func zip<Other: Sendable>(_ other: some EventSource<Other>) -> AnyEventSource<(Payload, Other)> {
    AnyEventSource.zipped(self, other).completing { pass, completion in
      let state = OperatorState((first: ZipBuffer<Payload>(), second: ZipBuffer<Other>()))
      return { item, context in
        switch item {
        case .first(let value): state.value.first.push(value)
        case .second(let value): state.value.second.push(value)
        case .firstEnded: state.value.first.hasEnded = true
        case .secondEnded: state.value.second.hasEnded = true
        }
        if !state.value.first.isEmpty, !state.value.second.isEmpty {
          let pair = (state.value.first.pop(), state.value.second.pop())
          pass(pair, context)
        }
        if state.value.first.isOver || state.value.second.isOver { completion.complete() }
      }
    }
  }
}

/// A value or the end of one source of `zip`.
@usableFromInline
enum ZipItem<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
  case firstEnded
  case secondEnded
}

/// The values of one source of `zip` that are not paired: a queue of two stacks, which releases each value that is taken.
@frozen @usableFromInline
struct ZipBuffer<Element> {
  @usableFromInline var pushed: [Element] = []
  /// In reverse order.
  @usableFromInline var popped: [Element] = []
  @usableFromInline var hasEnded = false

  @_alwaysEmitIntoClient init() {}
  @_alwaysEmitIntoClient var isEmpty: Bool { pushed.isEmpty && popped.isEmpty }
  /// No value is left, and none will come.
  @_alwaysEmitIntoClient var isOver: Bool { hasEnded && isEmpty }
  @_alwaysEmitIntoClient mutating func push(_ element: Element) { pushed.append(element) }
  @_alwaysEmitIntoClient mutating func pop() -> Element {
    if popped.isEmpty {
      popped = pushed.reversed()
      pushed.removeAll()
    }
    return popped.removeLast()
  }
}
