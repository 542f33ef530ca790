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
  /// Consumers, threads and the end are those of the stream: each loop has its own buffer and receives all values from the
  /// moment at which it began, the first one also those before.
  ///
  /// - Parameter count: The largest number of values in an array, at least 1.
  /// - Returns: The batches.
  /// - Complexity: For an unbounded stream O(1) for each value, with one lock for all that wait; for a bounded one a lock
  ///   for each.
  @_alwaysEmitIntoClient
  public func batches(upTo count: Int = .max) -> Batches {
    precondition(count > 0, "batches(upTo:) needs batches of one value at least")
    return Batches(core, upTo: count)
  }

  /// A stream's values in arrays of those that wait.
  public struct Batches: AsyncSequence, Sendable {
    /// At least one value, in the order of the stream.
    public typealias Element = [EventStream.Element]
    /// Never fails.
    public typealias Failure = Never
    @usableFromInline let core: StreamCore<EventStream.Element>
    @usableFromInline let count: Int
    @usableFromInline
    init(_ core: StreamCore<EventStream.Element>, upTo count: Int) { (self.core, self.count) = (core, count) }

    @_alwaysEmitIntoClient
    public func makeAsyncIterator() -> Iterator { Iterator(core.makeConsumer(), upTo: count) }

    /// Takes the batches of one consumer.
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let consumer: StreamConsumer<EventStream.Element>
      @usableFromInline let count: Int
      @usableFromInline
      init(_ consumer: StreamConsumer<EventStream.Element>, upTo count: Int) {
        (self.consumer, self.count) = (consumer, count)
      }

      @_alwaysEmitIntoClient
      public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        guard let first = await consumer.next(isolation: isolation) else { return nil }
        var batch = [first.value]
        while batch.count < count, let value = consumer.takeWaiting() { batch.append(value) }
        return batch
      }
      /// Without isolation: for code that knows the protocol alone.
      @_alwaysEmitIntoClient @_disfavoredOverload
      public mutating func next() async -> Element? { await next(isolation: nil) }
    }
  }
}
@available(*, unavailable)
extension EventStream.Batches.Iterator: Sendable {}
