public import Tidings

extension EventSource {
  /// The same values, in subscriptions that end when no value has come for an interval.
  ///
  /// ```swift
  /// for await beat in beats.timeout(after: .seconds(5)).stream() { show(beat) }
  /// print("no beat for five seconds")
  /// ```
  ///
  /// ```
  /// source          a-b--------c|
  /// timeout (3)     a-b--|
  /// ```
  ///
  /// The interval begins with the subscription, and anew with each value, which is passed on where the source delivers. Values that
  /// were passed on still reach a handler on another actor.
  ///
  /// - Parameters:
  ///   - interval: How long no value may come.
  ///   - clock: The clock that measures the interval.
  /// - Returns: A source of the same values.
  /// - Complexity: O(1) for each value, and one task for each subscription.
  public func timeout(
    after interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AnyEventSource<Payload> {
    completing { complete in
      let deadline = Deadline(clock, interval, complete)
      return (onValue: { deadline.renew() }, onEnd: { deadline.cancel() })
    }
  }
}
