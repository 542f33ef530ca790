#if canImport(Combine) || OpenCombine
public import Tidings

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A source of this library as a publisher, which sends as much as its subscriber demands.
///
/// ```swift
/// let cancellable = traded.publisher().map(\.price).sink { price in print(price) }
/// ```
///
/// A subscriber receives what is emitted after it has subscribed, in the order of the source, one call at a time, on the threads
/// that emit; also after cancelling from another thread a call may be running, but none begins. What it has not demanded
/// yet waits in a buffer, ``Buffering``. No lock is held while it is called: it may demand, cancel and emit.
///
/// The publisher finishes when its source is deinitialized, or `cancelAll()` was called, and what waits has been demanded. A
/// subscriber keeps no event alive.
public struct EventPublisher<Output: Sendable>: Publisher, Sendable {
  public typealias Failure = Never

  /// The rule for values that the subscriber has not demanded yet.
  public enum Buffering: Sendable {
    /// They wait, however many there are.
    case unbounded
    /// At most the given number waits; for another the oldest is dropped.
    case newest(Int)
    /// At most the given number waits; others are dropped.
    case oldest(Int)
  }

  private let buffering: Buffering
  private let attach: @Sendable (@escaping @Sendable (Output) -> Void) -> Tidings.Subscription

  init(
    _ buffering: Buffering, _ attach: @escaping @Sendable (@escaping @Sendable (Output) -> Void) -> Tidings.Subscription
  ) {
    self.buffering = buffering
    self.attach = attach
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    SubscriberAdapter(subscriber, buffering).open(attach)
  }
}

extension EventSource {
  /// The values of this source, as a publisher.
  public func publisher(
    buffering: EventPublisher<Payload>.Buffering = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) -> EventPublisher<Payload> {
    EventPublisher(buffering) { receive in observe(receive, file: file, line: line) }
  }
}

extension ValueSource {
  /// The value as a publisher: the value of the moment first, then every new one.
  ///
  /// ```swift
  /// let cancellable = price.publisher().sink { price in print(price) }
  /// ```
  ///
  /// A slow subscriber that wants the last value only says `.newest(1)`.
  public func publisher(
    buffering: EventPublisher<Value>.Buffering = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) -> EventPublisher<Value> {
    EventPublisher(buffering) { receive in
      observe(.initial, { receive($0.new) }, isolation: nil, file: file, line: line)
    }
  }
}
#endif
