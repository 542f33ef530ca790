extension EventStream {
  /// How many values its buffers have dropped so far, those of all its consumers taken together. The same as ``missed``.
  public var droppedCount: Int { missed }
}

extension EventSource {
  /// The values from now on, as a sequence to wait for; what its buffer drops is added to a value that can be observed.
  ///
  /// ```swift
  /// let dropped = Observed(0)
  /// let trades = traded.stream(buffering: .newest(64), addingDropsTo: dropped)
  /// let alarm = dropped.observe { change in print("dropped \(change.new)") }
  /// ```
  ///
  /// Streams that are given the same value sum up in it: those of one event, or of all. It is changed where the event
  /// delivers, when the value that was too many has been dropped, and kept by the stream.
  ///
  /// - Parameters:
  ///   - policy: How much is kept for a consumer that is slower than the values come.
  ///   - dropped: Is increased by one for each value that is dropped for a consumer.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
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
  /// How many values were dropped so far for the streams and asynchronous handlers that are subscribed, because more came than
  /// may wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var droppedCount: Int { delivery.droppedCount }
}
