/// The values of a source as an asynchronous sequence.
///
/// ```swift
/// for await trade in traded.stream(buffering: .newest(64)) { show(trade) }
/// ```
///
/// **Order and completeness.** A stream receives from its source from the moment at which it is made, in the order of all
/// other handlers, and buffers the values. The consumer receives every value except those that the ``BufferingPolicy``
/// drops, which ``droppedCount`` counts.
///
/// **Several consumers.** Each iterator has its own buffer and receives all values from the moment at which it was made; the
/// first iterator also those before. Make a stream for each consumer that is to receive all values from the beginning.
///
/// **The end.** The loop ends when the source was deinitialized or finished and the waiting values have been taken. A derived
/// value counts as finished when it can never change again, because everything that it has read has ended. The loop ends
/// immediately when its task or the ``subscription`` is cancelled. Until then the stream lasts as long as it, a copy of it
/// or an iterator is retained. It retains neither its event nor its value.
///
/// **Threads.** Any number of threads may share a stream; an iterator is for one task at a time. The emitter never waits for
/// a consumer: `emitAndWait` counts a value as handled when it is in the buffer.
///
/// - Complexity: Each value costs the emitter a lock and a copy, and a wake-up only when the consumer is suspended. An
///   unbounded stream is emptied a batch at a time.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Never fails.
  public typealias Failure = Never
  @usableFromInline let core: StreamCore<Element>

  init(
    _ buffering: BufferingPolicy, countingDrops drops: (@Sendable (Int) -> Void)? = nil,
    _ subscribe: (StreamHub<Element>) -> Subscription
  ) {
    core = StreamCore(buffering, nil, countingDrops: drops, subscribe)
  }

  /// A stream whose consumers take the newest value when they request one.
  init(latestOf latest: any LatestElementSource<Element>, _ subscribe: (StreamHub<Element>) -> Subscription) {
    core = StreamCore(.newest(1), latest, subscribe)
  }

  /// The number of values that the stream's buffers have dropped so far, for all consumers together.
  public var droppedCount: Int { core.hub.dropped }

  /// The subscription through which the stream receives: to cancel, pause or resume from elsewhere.
  ///
  /// Cancelling it ends the stream for all its consumers and drops the values that wait. `pause()` drops them as well.
  public var subscription: Subscription { core.subscription }

  @_alwaysEmitIntoClient
  public func makeAsyncIterator() -> Iterator { Iterator(core.makeConsumer()) }

  /// Takes the values of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let consumer: StreamConsumer<Element>
    @usableFromInline init(_ consumer: StreamConsumer<Element>) { self.consumer = consumer }

    /// Waits for the next value.
    ///
    /// - Parameter isolation: The actor on which the caller continues.
    /// - Returns: The value; nil when the stream has ended or the task is cancelled.
    @_alwaysEmitIntoClient
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
      await consumer.next(isolation: isolation)?.value
    }
    /// Without isolation: for code that knows the protocol alone.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public mutating func next() async -> Element? { await next(isolation: nil) }
  }
}
@available(*, unavailable)
extension EventStream.Iterator: Sendable {}
