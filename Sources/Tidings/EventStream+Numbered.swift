extension EventStream {
  /// The same values with their numbers: where one is missing, a value was dropped.
  ///
  /// ```swift
  /// for await (number, trade) in traded.stream(buffering: .newest(64)).numbered { record(trade, as: number) }
  /// ```
  ///
  /// The first value after the making of the stream has number 0. What the buffer dropped, ``missed`` counts; what a pause
  /// dropped was not wanted, and is not counted. What was dropped behind the last value leaves no gap.
  public var numbered: Numbered { Numbered(core) }

  /// A stream's values, each with its number.
  public struct Numbered: AsyncSequence, Sendable {
    public typealias Element = (number: Int, value: EventStream.Element)
    public typealias Failure = Never
    @usableFromInline let core: StreamCore<EventStream.Element>
    init(_ core: StreamCore<EventStream.Element>) { self.core = core }

    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(core.makeConsumer()) }

    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let consumer: StreamConsumer<EventStream.Element>
      @usableFromInline init(_ consumer: StreamConsumer<EventStream.Element>) { self.consumer = consumer }

      @inlinable
      public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
        await consumer.next(isolation: isolation)
      }
      @inlinable
      public mutating func next() async -> Element? { await next(isolation: nil) }
    }
  }
}
@available(*, unavailable)
extension EventStream.Numbered.Iterator: Sendable {}
