extension EventSource {
  /// The values from now on, as an asynchronous sequence that adds the number of dropped values to an observable counter.
  ///
  /// ```swift
  /// let dropped = Observed(0)
  /// let trades = traded.stream(buffering: .newest(64), addingDropsTo: dropped)
  /// let alarm = dropped.observe { change in print("dropped \(change.new)") }
  /// ```
  ///
  /// Several streams, of one event or of several, can share one counter. The counter is changed where the event delivers,
  /// after the excess value has been dropped. The stream retains the counter.
  ///
  /// - Parameters:
  ///   - policy: How many values are buffered for a slow consumer.
  ///   - dropped: The counter, increased by one for each value that is dropped for a consumer.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The stream, already subscribed.
  @_alwaysEmitIntoClient
  public func stream(
    buffering policy: BufferingPolicy, addingDropsTo dropped: Observed<Int>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> EventStream<Payload> {
    stream(
      policy, CallSite(file: file, line: line),
      countingDrops: { count in dropped.update(isolation: nil) { $0 += count } })
  }
}

extension Event {
  /// The number of values that were dropped so far for the subscribed streams and asynchronous handlers, because their
  /// buffers were full.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var droppedCount: Int { delivery.droppedCount }
}
