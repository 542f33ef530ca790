/// The values of a source as a sequence to wait for.
///
/// ```swift
/// for await trade in traded.stream(buffering: .newest(64)) { show(trade) }
/// ```
///
/// **Order and completeness.** A stream hears its source from the moment it is made, in the order of all other handlers, and
/// keeps what comes in a buffer: the consumer gets every value, less what the ``BufferingPolicy`` drops, which
/// ``missed`` counts.
///
/// **Several consumers.** Each iterator has a buffer of its own and gets everything from the moment at which it was made; the
/// first one also what came before it. Make a stream for each consumer where each is to have everything from the beginning.
///
/// **The end.** The loop ends when the source has gone and what waits was taken; when its task is cancelled, at once; and when
/// the ``subscription`` is cancelled, at once. Between those the stream lasts as long as it, a copy of it or an
/// iterator is kept. It keeps neither its event nor its value alive.
///
/// **Threads.** A stream is shared as you like, an iterator is for one task at a time. Whoever emits never waits for a
/// consumer; `emitAndWait` takes a value for handled that stands in the buffer.
///
/// - Complexity: a value costs the one who emits a lock and a copy, and a wake-up only when the consumer sleeps; an unbounded
///   stream is emptied a batch at a time.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never
  @usableFromInline let core: StreamCore<Element>

  init(
    _ buffering: BufferingPolicy, countingDrops drops: (@Sendable (Int) -> Void)? = nil,
    _ subscribe: (StreamHub<Element>) -> Subscription
  ) {
    core = StreamCore(buffering, nil, countingDrops: drops, subscribe)
  }

  /// A stream whose consumers take the newest value when they ask.
  init(latestOf latest: LatestValue<Element>, _ subscribe: (StreamHub<Element>) -> Subscription) {
    core = StreamCore(.newest(1), latest, subscribe)
  }

  /// How many values its buffers have dropped so far, those of all its consumers taken together.
  public var missed: Int { core.hub.missedSoFar }

  /// What it hears through: to cancel, pause or resume from elsewhere.
  ///
  /// Cancelled, the stream ends for all its consumers, and what waits is dropped; `pause()` drops what waits as well.
  public var subscription: Subscription { core.subscription }

  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(core.makeConsumer()) }

  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let consumer: StreamConsumer<Element>
    @usableFromInline init(_ consumer: StreamConsumer<Element>) { self.consumer = consumer }

    /// Waits for the next value; nil when the stream has ended or the task is cancelled.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
      await consumer.next(isolation: isolation)?.value
    }
    @inlinable
    public mutating func next() async -> Element? { await next(isolation: nil) }
  }
}
@available(*, unavailable)
extension EventStream.Iterator: Sendable {}
