public import Tidings

extension EventSource {
  /// The newest value at each tick, if one has come since the tick before.
  ///
  /// ```swift
  /// let samples = priced.sampled(every: .seconds(1))
  /// ```
  ///
  /// ```
  /// source        a-b----c----|
  /// sampled (3)   ---b-----c--|
  /// ```
  ///
  /// The ticks are counted from the moment of the subscription. When the source ends, the value that waits is passed on at once: the
  /// last value is never lost. A tick without a new value does nothing, and wakes no task.
  ///
  /// **Thread.** Values are passed on by a task on no actor, and from there delivered as by any event. **Waiting.** `emitAndWait` and
  /// `drained()` return when the value has been handled, or dropped for a later one. **Cancelling and pausing** drop the value that
  /// waits.
  ///
  /// - Parameters:
  ///   - interval: The time from one tick to the next, more than zero.
  ///   - clock: The clock that ticks.
  /// - Returns: A source of the values that are left.
  /// - Complexity: O(1) for each value. The values of ticks at which the handlers are busy are kept until it is their turn.
  public func sampled(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Payload> {
    precondition(interval > .zero, "sampled(every:) needs an interval of more than zero")
    return .waiting(on: self) {
      let (pacing, start) = (Pacing<Payload, _>(clock, .laterOneOfTheSameTime), clock.now)
      return (
        receive: { value in
          let passed = start.duration(to: clock.now)
          let ticks = passed.attoseconds / interval.attoseconds + 1
          return pacing.receive(value, due: start.advanced(by: interval * ticks))
        },
        wait: { item, isRevoked in
          await pacing.sleep(until: item.due, unless: isRevoked)
          return item.isCurrent ? item.value : nil
        }, wake: { pacing.wake() }, end: { pacing.end() }
      )
    }
  }
}

extension ValueSource {
  /// The newest value at each tick, if it was set since the tick before.
  ///
  /// ```swift
  /// let samples = price.sampled(every: .seconds(1))
  /// ```
  ///
  /// As ``Tidings/EventSource/sampled(every:clock:)`` of an event; `changes.sampled(every:)` gives the changes.
  ///
  /// - Parameters:
  ///   - interval: The time from one tick to the next, more than zero.
  ///   - clock: The clock that ticks.
  /// - Returns: A source of the values that are left.
  public func sampled(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Value> {
    changes.map { $0.new }.sampled(every: interval, clock: clock)
  }
}
