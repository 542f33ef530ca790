extension EventStream {
  /// The same values with sequence numbers: a gap means that a value was dropped.
  ///
  /// ```swift
  /// for await (number, trade) in traded.stream(buffering: .newest(64)).numbered { record(trade, as: number) }
  /// ```
  ///
  /// The first value after the stream was made has number 0. Values that the buffer drops are counted by ``droppedCount`` and
  /// leave a gap, except after the last value that is received. Values that are emitted during a pause are not counted.
  public var numbered: Numbered { Numbered(core) }

  /// A stream's values, each with its sequence number.
  public struct Numbered: AsyncSequence, Sendable {
    /// A value and its sequence number.
    public typealias Element = (number: Int, value: EventStream.Element)
    /// Never fails.
    public typealias Failure = Never
    @usableFromInline let core: StreamCore<EventStream.Element>
    init(_ core: StreamCore<EventStream.Element>) { self.core = core }

    @_alwaysEmitIntoClient
    public func makeAsyncIterator() -> Iterator { Iterator(core.makeConsumer()) }

    /// Takes the values of one consumer.
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let consumer: StreamConsumer<EventStream.Element>
      @usableFromInline init(_ consumer: StreamConsumer<EventStream.Element>) { self.consumer = consumer }

      @_alwaysEmitIntoClient
      public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        await consumer.next(isolation: isolation)
      }
      /// Without isolation: for code that knows the protocol alone.
      @_alwaysEmitIntoClient @_disfavoredOverload
      public mutating func next() async -> Element? { await next(isolation: nil) }
    }
  }
}
@available(*, unavailable)
extension EventStream.Numbered.Iterator: Sendable {}
