// From events to values. Emitted into the client that uses them.
extension EventSource {
  /// The latest value of the event as a value, from this call on.
  ///
  /// ```swift
  /// let connection = changed.hold(.offline)   // ReadOnly<State>
  /// print(connection.value)
  /// ```
  ///
  /// The value is one of the event's handlers: handlers that were added later read it up to date. It is kept up to date for
  /// as long as the value, a subscription to it or a value derived from it is retained. It does not retain the event, and its
  /// subscriptions and streams end with the event. What is emitted in a transaction is applied with the transaction's writes:
  /// at its end, and not at all if it throws.
  ///
  /// - Parameters:
  ///   - initial: The value before the first value of the event.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The value, read-only.
  /// - Complexity: O(1), and for each value the cost of setting an `Observed`.
  @_alwaysEmitIntoClient
  public func hold(_ initial: Payload, file: StaticString = #fileID, line: UInt = #line) -> ReadOnly<Payload> {
    ReadOnly(holding: initial, from: self, file: file, line: line)
  }

  /// The latest value of the event as an optional value, from this call on.
  ///
  /// Like the other `hold`, but nil before the first value if `initial` is nil.
  ///
  /// ```swift
  /// let lastTrade = traded.hold(nil)   // ReadOnly<Trade?>
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The value before the first value of the event, or nil.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The value, read-only.
  @_alwaysEmitIntoClient
  public func hold(_ initial: Payload?, file: StaticString = #fileID, line: UInt = #line) -> ReadOnly<Payload?> {
    map { Optional($0) }.hold(initial, file: file, line: line)
  }

  /// The values of the event accumulated by `next`, as a value, from this call on.
  ///
  /// ```swift
  /// let statistics = traded.reduce(into: Statistics()) { statistics, trade in statistics.add(trade) }
  /// ```
  ///
  /// It is kept up to date like the result of `hold`. Each value is applied exactly once, whichever threads emit. What was
  /// emitted in a transaction that threw becomes visible with the next value.
  ///
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - next: Applies a value to the result. Runs where the event delivers.
  /// - Returns: The result, read-only.
  @_alwaysEmitIntoClient
  public func reduce<Result: Sendable>(
    into initial: Result, file: StaticString = #fileID, line: UInt = #line,
    _ next: @escaping @Sendable (inout Result, Payload) -> Void
  ) -> ReadOnly<Result> {
    scan(into: initial, next).hold(initial, file: file, line: line)
  }

  /// Sets a value to each value of this source, for as long as the subscription is kept.
  ///
  /// ```swift
  /// subscription = traded.map(\.price).assign(to: price)
  /// ```
  ///
  /// The value is set where the source delivers, in the order of its handlers: a handler that was added later reads it up to date.
  /// A value that is emitted in a transaction is set in it. Use `hold` for a value that nothing else sets.
  ///
  /// - Parameters:
  ///   - value: The value, which the subscription retains.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), and for each value the cost of setting an `Observed`.
  @_alwaysEmitIntoClient
  public func assign(
    to value: Observed<Payload>, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      EventHandler(
        passing: { new, context in value.cell.set(new, context.here, value) }, CallSite(file: file, line: line)))
  }
}
