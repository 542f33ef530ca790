#if canImport(Combine) || OpenCombine
import Tidings

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The way from a publisher into an event.
final class EventSink<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
  private struct State {
    weak var event: Event<Input>?
    var upstream: (any CombineSubscription)?
    var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    var isOver = false

    /// Gives back what is to be released.
    mutating func finish() -> State {
      defer { (event, upstream, onCompletion, isOver) = (nil, nil, nil, true) }
      return self
    }
  }
  private let state: Lock<State>
  private let demand: Subscribers.Demand

  init(
    _ event: Event<Input>, _ demand: Subscribers.Demand,
    _ onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    state = Lock(State(event: event, onCompletion: onCompletion))
    self.demand = demand
  }

  func receive(subscription: any CombineSubscription) {
    let isWanted = state.withLock { state in
      if state.isOver || state.upstream != nil { return false }
      state.upstream = subscription
      return true
    }
    if isWanted { subscription.request(demand) } else { subscription.cancel() }
  }

  func receive(_ value: Input) -> Subscribers.Demand {
    let (event, isOver) = state.withLock { ($0.event, $0.isOver) }
    if let event {
      event.emit(value, isolation: nil)
      return demand == .unlimited ? .none : .max(1)
    }
    if !isOver { cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let last = state.withLock { $0.finish() }
    last.onCompletion?(completion)
  }

  func cancel() {
    let last = state.withLock { $0.finish() }
    last.upstream?.cancel()
  }
}
#endif
