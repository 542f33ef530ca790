extension EventSource {
  /// The values from now on, as a sequence to wait for.
  ///
  /// ```swift
  /// let stream = traded.stream(buffering: .oldest(1000))
  /// Task { for await trade in stream { archive(trade) } }
  /// ```
  ///
  /// It hears what is emitted from this call on, also before somebody waits. See ``EventStream`` for what ends it and how several
  /// consumers share it.
  ///
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

  /// Waits for the next value.
  ///
  /// ```swift
  /// guard let first = await traded.next() else { return }
  /// ```
  ///
  /// It is one that is emitted after this call began; nil when the task is cancelled, or the source ends: gone, or by
  /// `cancelAll()`. Two calls one after another may miss what comes between; a stream does not.
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
  /// No value is passed over that is emitted after this call began. The predicate runs where this was called, on one value at
  /// a time. Nil as with `next()`.
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
