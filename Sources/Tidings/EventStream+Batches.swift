extension EventStream {
  /// The same values, all that wait as one element: an array of one value at least.
  ///
  /// ```swift
  /// for await trades in traded.stream().batches(upTo: 500) { try database.insert(trades) }
  /// ```
  ///
  /// For a consumer that does several at the price of one. It waits for the first value and for no other: a consumer that is
  /// fast gets arrays of one, and one that is slow catches up. Nothing is dropped that the stream itself does not drop; what a
  /// batch has taken is the consumer's, also after `cancel()`.
  ///
  /// It is for one loop, which ends as a loop over the stream does: call this again for another consumer.
  ///
  /// - Parameter count: How many values an array has at most, at least 1.
  /// - Complexity: Of an unbounded stream O(1) for each value, with one lock for all that wait; of a bounded one a lock for each.
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
  /// The successes from now on, as a sequence that throws the first failure.
  ///
  /// ```swift
  /// let downloaded = Event<Result<Page, DownloadError>>("downloads")
  /// for try await page in downloaded.throwingStream() { show(page) }
  /// ```
  ///
  /// For events whose payload says that something failed. It hears what is emitted from this call on, and is at its end when it
  /// has thrown; the event goes on, and a new stream begins anew. Like `batches` it is for one loop.
  ///
  /// - Parameters:
  ///   - policy: How much is kept for a consumer that is slower than the values come.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
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
