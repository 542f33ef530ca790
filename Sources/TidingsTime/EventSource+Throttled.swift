public import Tidings

extension EventSource {
  /// At most one value in an interval: the first at once, then the newest, or the first, of each interval.
  ///
  /// ```swift
  /// let shown = priced.throttled(for: .milliseconds(100))
  /// ```
  ///
  /// ```
  /// source                       a-b-c-----d--|
  /// throttled (3)                a--b--c---d--|
  /// throttled (3, latest: false) a---c-----d--|
  /// ```
  ///
  /// With `latest`, a value that comes too early waits until the interval is over, and a later one takes its place. When the source
  /// ends, the value that waits is passed on at once: the last value is never lost. Without `latest`, a value that comes too early is
  /// dropped, and the others are passed on where the source delivers.
  ///
  /// **Thread.** With `latest`, values are passed on by a task on no actor, and from there delivered as by any event. **Waiting.**
  /// `emitAndWait` and `drained()` return when the value has been handled, or dropped for a later one. **Cancelling and pausing** drop
  /// the value that waits. Each subscription has its own intervals.
  ///
  /// - Parameters:
  ///   - interval: The time from a value that is passed on to the next.
  ///   - latest: Whether the newest value of an interval is passed on when it is over.
  ///   - clock: The clock that measures the interval.
  /// - Returns: A source of the values that are left.
  /// - Complexity: O(1) for each value.
  public func throttled(
    for interval: Duration, latest: Bool = true, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Payload> {
    if !latest { return firstOfEach(interval, clock) }
    return .waiting(on: self) {
      let pacing = Pacing<Payload, _>(clock, .everyLaterOne)
      return (
        receive: { pacing.receive($0, due: clock.now) },
        wait: { item, isRevoked in
          if let next = pacing.next { await pacing.sleep(until: next, unless: isRevoked) }
          guard !isRevoked(), pacing.mayPass(item) else { return nil }
          pacing.setNext(clock.now.advanced(by: interval))
          return item.value
        }, wake: { pacing.wake() }, end: { pacing.end() }
      )
    }
  }

  private func firstOfEach<C: Clock<Duration>>(_ interval: Duration, _ clock: C) -> AnyEventSource<Payload> {
    let none: (next: C.Instant?, value: Payload?) = (nil, nil)
    return scan(none) { last, value in
      let now = clock.now
      if let next = last.next, now < next { return (next, nil) }
      return (now.advanced(by: interval), value)
    }.compactMap { $0.value }
  }
}

extension ValueSource {
  /// At most one new value in an interval: the first at once, then the newest, or the first, of each interval.
  ///
  /// ```swift
  /// let shown = price.throttled(for: .milliseconds(100))
  /// ```
  ///
  /// As ``Tidings/EventSource/throttled(for:latest:clock:)`` of an event; `changes.throttled(for:)` gives the changes.
  ///
  /// - Parameters:
  ///   - interval: The time from a value that is passed on to the next.
  ///   - latest: Whether the newest value of an interval is passed on when it is over.
  ///   - clock: The clock that measures the interval.
  /// - Returns: A source of the values that are left.
  public func throttled(
    for interval: Duration, latest: Bool = true, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Value> {
    changes.map { $0.new }.throttled(for: interval, latest: latest, clock: clock)
  }
}
