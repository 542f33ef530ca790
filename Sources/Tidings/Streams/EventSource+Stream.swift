extension EventSource {
  /// The values from now on, as an asynchronous sequence.
  ///
  /// ```swift
  /// let stream = traded.stream(buffering: .oldest(1000))
  /// Task { for await trade in stream { archive(trade) } }
  /// ```
  ///
  /// It receives what is emitted from this call on, also before a consumer waits. See ``EventStream`` for how it ends and
  /// how several consumers share it.
  ///
  /// - Parameters:
  ///   - policy: How many values are buffered for a slow consumer.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The stream, already subscribed.
  /// - Complexity: O(1).
  public func stream(
    buffering policy: BufferingPolicy = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Payload> {
    stream(policy, CallSite(file: file, line: line), countingDrops: nil)
  }
  @usableFromInline
  func stream(
    _ policy: BufferingPolicy, _ site: CallSite, countingDrops drops: (@Sendable (Int) -> Void)?
  ) -> EventStream<Payload> {
    EventStream(policy, countingDrops: drops) { attach(EventHandler(.stream($0), site: site)) }
  }

  /// Waits for the next value that is emitted after this call began.
  ///
  /// ```swift
  /// guard let first = await traded.next() else { return }
  /// ```
  ///
  /// Values that are emitted between two calls are missed; a stream misses none.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The value; nil when the task is cancelled, or when the source ends: by `finish()`, `cancelAll()` or its
  ///   deinitialization. Of an event that has finished before the call, nil without waiting. A value that was emitted before
  ///   `finish()` is returned.
  @_alwaysEmitIntoClient
  public func next(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) async -> Payload? {
    var iterator = stream(buffering: .oldest(1), file: file, line: line).makeAsyncIterator()
    return await iterator.next(isolation: isolation)
  }

  /// Waits for the first value that satisfies `predicate`.
  ///
  /// ```swift
  /// let dear = await traded.first { $0.price > 1_000 }
  /// ```
  ///
  /// No value that is emitted after this call began is passed over. The predicate runs on the caller's actor, for one value
  /// at a time.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - predicate: Returns true for the value to wait for.
  /// - Returns: The value; nil when the task is cancelled, or when the source ends, as with `next()`, and no value that was
  ///   emitted before the end satisfies.
  @_alwaysEmitIntoClient
  public func first(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    where predicate: (Payload) -> Bool
  ) async -> Payload? {
    var iterator = stream(file: file, line: line).makeAsyncIterator()
    while let value = await iterator.next(isolation: isolation) {
      if predicate(value) { return value }
    }
    return nil
  }
}
