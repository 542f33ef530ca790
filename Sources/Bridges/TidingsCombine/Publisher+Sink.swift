#if canImport(Combine) || OpenCombine
public import Tidings

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Publisher where Output: Sendable {
  /// Emits what this publisher sends.
  ///
  /// ```swift
  /// let cancellable = prices.sink(into: priced) { completion in print(completion) }
  /// ```
  ///
  /// Emitted where the publisher sends, in its order; handlers on actors receive it through their queues. The event is held
  /// weakly: when it is deinitialized, the publisher is cancelled at its next value.
  ///
  /// - Parameters:
  ///   - event: The source of the values.
  ///   - demand: How many values are demanded at first. Each value that was emitted makes place for another.
  ///   - onCompletion: Notified when the publisher has finished or failed, not when it was cancelled.
  /// - Returns: The token; dropping it cancels.
  public func sink(
    into event: Event<Output>, demand: Subscribers.Demand = .unlimited,
    onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    let sink = EventSink(event, demand, onCompletion)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Emits what this publisher sends.
  public func sink(into event: Event<Output>, demand: Subscribers.Demand = .unlimited) -> AnyCancellable {
    sink(into: event, demand: demand) { _ in }
  }
}
#endif
