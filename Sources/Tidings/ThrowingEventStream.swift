/// The values of an event that may fail, as a sequence that throws the failure.
///
/// ```swift
/// let downloaded = Event<Result<Page, DownloadError>>("downloads")
/// for try await page in downloaded.throwingStream() { show(page) }
/// ```
///
/// What is said of ``EventStream`` holds for this. A consumer gets the successes up to the first failure, which is thrown where
/// the loop waits; then its sequence is at its end. Each consumer has its own end; a new stream begins anew.
public struct ThrowingEventStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// The results, as a stream that does not throw: its subscription, what it dropped.
  public let results: EventStream<Result<Element, Failure>>

  @usableFromInline init(_ results: EventStream<Result<Element, Failure>>) { self.results = results }

  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(results.makeAsyncIterator()) }

  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var results: EventStream<Result<Element, Failure>>.Iterator?

    @usableFromInline
    init(_ results: EventStream<Result<Element, Failure>>.Iterator) { self.results = results }

    /// Waits for the next success; nil when the stream has ended, has thrown, or the task is cancelled.
    ///
    /// - Throws: The first failure.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async throws(Failure) -> Element? {
      switch await results?.next(isolation: isolation) {
      case .success(let value): return value
      case .failure(let failure):
        results = nil
        throw failure
      case nil: return nil
      }
    }
    @inlinable
    public mutating func next() async throws(Failure) -> Element? { try await next(isolation: nil) }
  }
}
@available(*, unavailable)
extension ThrowingEventStream.Iterator: Sendable {}

extension EventSource {
  /// The successes from now on, as a sequence that throws the first failure.
  ///
  /// ```swift
  /// for try await page in downloaded.throwingStream() { show(page) }
  /// ```
  ///
  /// It hears what is emitted from this call on. The event itself goes on after a failure.
  ///
  /// - Parameters:
  ///   - policy: How much is kept for a consumer that is slower than the values come.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public func throwingStream<Success: Sendable, Failure: Error>(
    buffering policy: BufferingPolicy = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowingEventStream<Success, Failure> where Payload == Result<Success, Failure> {
    ThrowingEventStream(stream(buffering: policy, file: file, line: line))
  }
}
