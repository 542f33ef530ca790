public import Tidings

extension EventSource {
  /// The values after which no other came for an interval.
  ///
  /// ```swift
  /// let searches = typed.debounced(for: .milliseconds(300))
  /// ```
  ///
  /// ```
  /// source          a-b-c-------d--|
  /// debounced (3)   --------c------d|
  /// ```
  ///
  /// A value waits for the interval. A value that comes meanwhile takes its place, and waits for the interval from then on. When the
  /// source ends, the value that waits is passed on at once: the last value is never lost.
  ///
  /// **Thread.** Values are passed on by a task on no actor, and from there delivered as by any event. **Waiting.** `emitAndWait` and
  /// `drained()` return when the value has been handled, or dropped for a later one. **Cancelling and pausing** drop the value that
  /// waits. Each subscription has its own interval.
  ///
  /// - Parameters:
  ///   - interval: How long no other value may come.
  ///   - clock: The clock that measures the interval. Tests pass one that they advance, `ManualClock` of TidingsTesting.
  /// - Returns: A source of the values that are left.
  /// - Complexity: O(1) for each value, and one wait of a task for each interval in which values come. Values whose time has come while
  ///   the handlers are busy are kept until it is their turn.
  public func debounced(
    for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Payload> {
    .waiting(on: self) {
      let pacing = Pacing<Payload, _>(clock, .laterOne)
      return (
        receive: { pacing.receive($0, due: clock.now.advanced(by: interval)) },
        wait: { item, isRevoked in
          await pacing.sleep(until: item.due, unless: isRevoked)
          return item.isCurrent ? item.value : nil
        }, wake: { pacing.wake() }, end: { pacing.end() }
      )
    }
  }
}

extension ValueSource {
  /// The new values after which no other came for an interval.
  ///
  /// ```swift
  /// let searches = query.debounced(for: .milliseconds(300))
  /// ```
  ///
  /// As ``Tidings/EventSource/debounced(for:clock:)`` of an event; `changes.debounced(for:)` gives the changes.
  ///
  /// - Parameters:
  ///   - interval: How long the value must stay as it is.
  ///   - clock: The clock that measures the interval.
  /// - Returns: A source of the values that are left.
  public func debounced(
    for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Value> {
    changes.map { $0.new }.debounced(for: interval, clock: clock)
  }
}
