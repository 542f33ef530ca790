extension EventStream {
  /// The same values in batches: each element is an array of all values that wait, at least one.
  ///
  /// ```swift
  /// for await trades in traded.stream().batches(upTo: 500) { try database.insert(trades) }
  /// ```
  ///
  /// For a consumer that can process several values at the cost of one. The consumer waits for the first value only: a fast
  /// consumer receives arrays of one, a slow one catches up. No value is dropped that the stream itself does not drop. The
  /// values of a batch belong to the consumer, also after `cancel()`.
  ///
  /// The result is for one loop, which ends as a loop over the stream does. Call this again for another consumer.
  ///
  /// - Parameter count: The largest number of values in an array, at least 1.
  /// - Returns: The batches.
  /// - Complexity: For an unbounded stream O(1) for each value, with one lock for all that wait; for a bounded one a lock
  ///   for each.
  @_alwaysEmitIntoClient
  public func batches(upTo count: Int = .max) -> AsyncStream<[Element]> {
    precondition(count > 0, "batches(upTo:) needs batches of one value at least")
    let consumer = core.makeConsumer()
    return AsyncStream {
      guard let first = await consumer.next(isolation: nil) else { return nil }
      var batch = [first.value]
      while batch.count < count, let value = consumer.takeWaiting() { batch.append(value) }
      return batch
    }
  }
}

extension EventSource {
  /// The successes from now on, as an asynchronous sequence that throws the first failure.
  ///
  /// ```swift
  /// let downloaded = Event<Result<Page, DownloadError>>("downloads")
  /// for try await page in downloaded.throwingStream() { show(page) }
  /// ```
  ///
  /// For events whose payload can be a failure. The stream receives what is emitted from this call on, and ends when it has
  /// thrown. The event continues, and a new stream begins again. Like the result of `batches` it is for one loop.
  ///
  /// - Parameters:
  ///   - policy: How many values are buffered for a slow consumer.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The stream, already subscribed.
  @_alwaysEmitIntoClient
  public func throwingStream<Success: Sendable, Failure: Error>(
    buffering policy: BufferingPolicy = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) -> AsyncThrowingStream<Success, any Error> where Payload == Result<Success, Failure> {
    let consumer = stream(buffering: policy, file: file, line: line).core.makeConsumer()
    let hasFailed = OperatorState(false)
    return AsyncThrowingStream {
      guard !hasFailed.value, let result = await consumer.next(isolation: nil)?.value else { return nil }
      hasFailed.value = (try? result.get()) == nil
      return try result.get()
    }
  }
}
