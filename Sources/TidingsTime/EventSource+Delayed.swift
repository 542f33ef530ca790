public import Tidings

extension EventSource {
  /// The same values, each an interval later.
  ///
  /// ```swift
  /// let reminders = ordered.delayed(for: .seconds(60))
  /// ```
  ///
  /// ```
  /// source         a-b----c|
  /// delayed (3)    ---a-b----c|
  /// ```
  ///
  /// Order and distances stay as they are, unless a handler is slower: a value is passed on when the one before has been handled.
  /// When the source ends, the values that wait keep their times, and the subscription ends after the last.
  ///
  /// **Thread.** Values are passed on by a task on no actor, and from there delivered as by any event. **Waiting.** `emitAndWait` and
  /// `drained()` return when the value has been handled. **Cancelling and pausing** drop the values that wait.
  ///
  /// - Parameters:
  ///   - interval: How much later each value is passed on.
  ///   - clock: The clock that measures the interval.
  /// - Returns: A source of the same values.
  /// - Complexity: O(1) for each value. All values of an interval are in memory.
  public func delayed(
    for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Payload> {
    .waiting(on: self) {
      let pacing = Pacing<Payload, _>(clock, .none)
      return (
        receive: { pacing.receive($0, due: clock.now.advanced(by: interval)) },
        wait: { item, isRevoked in
          await pacing.sleep(until: item.due, unless: isRevoked)
          return item.value
        },
        // The end of the source wakes none: what waits keeps its time.
        wake: { pacing.wake() }, end: {}
      )
    }
  }
}

extension ValueSource {
  /// The new values, each an interval later.
  ///
  /// ```swift
  /// let later = volume.delayed(for: .seconds(1))
  /// ```
  ///
  /// As ``Tidings/EventSource/delayed(for:clock:)`` of an event; `changes.delayed(for:)` gives the changes.
  ///
  /// - Parameters:
  ///   - interval: How much later each value is passed on.
  ///   - clock: The clock that measures the interval.
  /// - Returns: A source of the new values.
  public func delayed(
    for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Value> {
    changes.map { $0.new }.delayed(for: interval, clock: clock)
  }
}
