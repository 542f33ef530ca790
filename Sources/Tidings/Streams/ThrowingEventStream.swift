extension EventSource {
  /// The successes from now on, as an asynchronous sequence that throws the first failure.
  ///
  /// ```swift
  /// let downloaded = Event<Result<Page, DownloadError>>("downloads")
  /// for try await page in downloaded.throwingStream() { show(page) }
  /// ```
  ///
  /// For events whose payload can be a failure. The stream receives what is emitted from this call on. A loop ends when it has
  /// thrown; the event continues, and a new loop receives what is emitted after it has begun.
  ///
  /// - Parameters:
  ///   - policy: How many values are buffered for a slow consumer.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The stream, already subscribed.
  @_alwaysEmitIntoClient
  public func throwingStream<Success: Sendable, Failure: Error>(
    buffering policy: BufferingPolicy = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowingEventStream<Success, Failure> where Payload == Result<Success, Failure> {
    ThrowingEventStream(stream(buffering: policy, file: file, line: line))
  }
}

/// The successes of a source of results as an asynchronous sequence that throws the first failure.
///
/// ```swift
/// let downloaded = Event<Result<Page, DownloadError>>("downloads")
/// for try await page in downloaded.throwingStream() { show(page) }
/// ```
///
/// Consumers, threads and the end are those of the ``results``: each loop has its own buffer and receives what is emitted
/// after it has begun, the first one also what was emitted before. A loop that has thrown has ended.
@frozen
public struct ThrowingEventStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// The stream of successes and failures that this reads.
  public let results: EventStream<Result<Element, Failure>>
  @_alwaysEmitIntoClient
  init(_ results: EventStream<Result<Element, Failure>>) { self.results = results }

  @_alwaysEmitIntoClient
  public func makeAsyncIterator() -> Iterator { Iterator(results.makeAsyncIterator()) }

  /// Takes the successes of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    /// Nil once a failure was thrown.
    @usableFromInline var results: EventStream<Result<Element, Failure>>.Iterator?
    @usableFromInline init(_ results: EventStream<Result<Element, Failure>>.Iterator) { self.results = results }

    /// Waits for the next success.
    ///
    /// - Parameter isolation: The actor on which the caller continues.
    /// - Returns: The success; nil when the stream has ended, the task is cancelled, or a failure was thrown before.
    /// - Throws: The next failure.
    @_alwaysEmitIntoClient
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      switch await results?.next(isolation: isolation) {
      case .success(let element): return element
      case .failure(let failure):
        results = nil
        throw failure
      case nil: return nil
      }
    }
    /// Without isolation: for code that knows the protocol alone.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public mutating func next() async throws(Failure) -> Element? { try await next(isolation: nil) }
  }
}
@available(*, unavailable)
extension ThrowingEventStream.Iterator: Sendable {}
