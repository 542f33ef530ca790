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
  /// - Parameter count: How many values an array has at most, at least 1.
  /// - Complexity: Of an unbounded stream O(1) for each value, with one lock for all that wait; of a bounded one a lock for each.
  public func batches(upTo count: Int = .max) -> Batches {
    // Not `precondition`, which says nothing in a release build.
    if count < 1 { fatalError("batches(upTo:) needs batches of one value at least") }
    return Batches(core, count)
  }

  /// A stream's values in arrays of all that waits.
  public struct Batches: AsyncSequence, Sendable {
    public typealias Element = [EventStream.Element]
    public typealias Failure = Never
    @usableFromInline let core: StreamCore<EventStream.Element>
    @usableFromInline let limit: Int

    init(_ core: StreamCore<EventStream.Element>, _ limit: Int) {
      self.core = core
      self.limit = limit
    }

    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(core.makeConsumer(), limit) }

    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let consumer: StreamConsumer<EventStream.Element>
      @usableFromInline let limit: Int

      @usableFromInline
      init(_ consumer: StreamConsumer<EventStream.Element>, _ limit: Int) {
        self.consumer = consumer
        self.limit = limit
      }

      /// Waits until there is a value, and takes all that wait then; nil when the stream has ended or the task is cancelled.
      @inlinable
      public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
        guard let first = await consumer.next(isolation: isolation) else { return nil }
        var batch = [first.value]
        while batch.count < limit, let value = consumer.takeWaiting() { batch.append(value) }
        return batch
      }
      @inlinable
      public mutating func next() async -> Element? { await next(isolation: nil) }
    }
  }
}
@available(*, unavailable)
extension EventStream.Batches.Iterator: Sendable {}
