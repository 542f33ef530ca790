// Operators that begin late or end early. Emitted into the client that uses them: each is little more than closures.
extension EventSource {
  /// The first `count` values that a subscription receives; then the subscription ends.
  ///
  /// ```swift
  /// let opening = traded.prefix(3)
  /// ```
  ///
  /// Values that were passed on still reach a handler on another actor, and a stream ends when the values that wait have
  /// been taken. Everything that the subscription retained is released. This is a stateful operator: values pass one at a
  /// time, also when the source is `.immediate`.
  ///
  /// - Parameter count: The number of values; with 0, a subscription has ended from the beginning.
  /// - Returns: A source of the first values.
  @_alwaysEmitIntoClient
  public func prefix(_ count: Int) -> AnyEventSource<Payload> {
    completing { pass, completion in
      let left = OperatorState(count)
      if count <= 0 { completion.complete() }
      return { value, context in
        guard left.value > 0 else { return }
        left.value -= 1
        pass(value, context)
        if left.value == 0 { completion.complete() }
      }
    }
  }

  /// The values before the first that does not satisfy `predicate`; at that one the subscription ends.
  ///
  /// ```swift
  /// let calm = priced.prefix { $0 < 100 }
  /// ```
  ///
  /// - Parameter predicate: Called with each value until it returns false.
  /// - Returns: A source of the first values.
  @_alwaysEmitIntoClient
  public func prefix(while predicate: @escaping @Sendable (Payload) -> Bool) -> AnyEventSource<Payload> {
    completing { pass, completion in
      let isOver = OperatorState(false)
      return { value, context in
        if isOver.value { return }
        if predicate(value) { return pass(value, context) }
        isOver.value = true
        completion.complete()
      }
    }
  }

  /// The values until another source emits; then the subscription ends.
  ///
  /// ```swift
  /// let session = traded.prefix(until: closed)
  /// ```
  ///
  /// A subscription has one order of both sources, as with `merge`. It also ends with this source, and not with the other one.
  ///
  /// - Parameter other: The source whose first value ends the subscription.
  /// - Returns: A source of the values before that.
  @_alwaysEmitIntoClient
  public func prefix<Other: Sendable>(until other: some EventSource<Other>) -> AnyEventSource<Payload> {
    AnyEventSource.joined(self, other).completing { pass, completion in
      let isOver = OperatorState(false)
      return { item, context in
        if isOver.value { return }
        if let value = item.0 { return pass(value, context) }
        isOver.value = true
        completion.complete()
      }
    }
  }

  /// The values from the first on that does not satisfy `predicate`.
  ///
  /// ```swift
  /// let afterOpening = priced.drop { $0 == 0 }
  /// ```
  ///
  /// - Parameter predicate: Called with each value until it returns false.
  /// - Returns: A source of the values that are left.
  @_alwaysEmitIntoClient
  public func drop(while predicate: @escaping @Sendable (Payload) -> Bool) -> AnyEventSource<Payload> {
    oneAtATime.transformed { pass in
      let isDropping = OperatorState(true)
      return { value, context in
        if isDropping.value, predicate(value) { return }
        isDropping.value = false
        pass(value, context)
      }
    }
  }

  /// The values after the first `count` that a subscription receives.
  ///
  /// ```swift
  /// let later = traded.dropFirst()
  /// ```
  ///
  /// - Parameter count: The number of values that are dropped.
  /// - Returns: A source of the values after those.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> AnyEventSource<Payload> {
    oneAtATime.transformed { pass in
      let left = OperatorState(count)
      return { value, context in
        if left.value > 0 { left.value -= 1 } else { pass(value, context) }
      }
    }
  }
}
