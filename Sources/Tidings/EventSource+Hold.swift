// From events to values. Compiled by who uses it.
extension EventSource {
  /// The latest value of the event as a value, from this call on.
  ///
  /// ```swift
  /// let connection = changed.hold(.offline)   // ReadOnly<State>
  /// print(connection.value)
  /// ```
  ///
  /// It is one of the event's handlers: those that were added later find it up to date. It is kept up to date for as long as it
  /// is kept, or a subscription to it, or what is derived from it; it does not keep the event. What is emitted in a transaction
  /// it takes up with the transaction's writes: at its end, and not at all if it throws.
  ///
  /// - Parameters:
  ///   - initial: What it is before the first value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public func hold(_ initial: Payload, file: StaticString = #fileID, line: UInt = #line) -> ReadOnly<Payload> {
    ReadOnly(holding: initial, from: self, file: file, line: line)
  }

  /// The latest value of the event as a value that may be missing, from this call on.
  ///
  /// ```swift
  /// let lastTrade = traded.hold(nil)   // ReadOnly<Trade?>
  /// ```
  ///
  /// - Parameters:
  ///   - initial: What it is before the first value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public func hold(_ initial: Payload?, file: StaticString = #fileID, line: UInt = #line) -> ReadOnly<Payload?> {
    map { Optional($0) }.hold(initial, file: file, line: line)
  }

  /// What `next` makes of all the values of the event, as a value, from this call on.
  ///
  /// ```swift
  /// let statistics = traded.reduce(into: Statistics()) { statistics, trade in statistics.add(trade) }
  /// ```
  ///
  /// It is kept up to date as by `hold`. Each value is taken up once, whichever threads emit; what was emitted in a transaction
  /// that threw shows with the next value.
  ///
  /// - Parameters:
  ///   - initial: What the first value changes.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - next: Takes a value up into the result. Runs where the event delivers.
  @_alwaysEmitIntoClient
  public func reduce<Result: Sendable>(
    into initial: Result, file: StaticString = #fileID, line: UInt = #line,
    _ next: @escaping @Sendable (inout Result, Payload) -> Void
  ) -> ReadOnly<Result> {
    scan(into: initial, next).hold(initial, file: file, line: line)
  }
}
