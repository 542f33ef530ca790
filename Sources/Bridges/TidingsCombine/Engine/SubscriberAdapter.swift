#if canImport(Combine) || OpenCombine
import Tidings

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The way from a source to one subscriber.
///
/// The thread that finds it idle, because it emits, demands or ends, works until there is nothing to do; others leave what
/// they bring. So calls of the subscriber never overlap and never nest, and none is made under the lock.
///
/// A subscriber need not be Sendable: Combine calls it from any thread, one at a time, and so does this.
final class SubscriberAdapter<S: Subscriber>: CombineSubscription, Receiving
where S.Input: Sendable, S.Failure == Never {
  typealias Buffering = EventPublisher<S.Input>.Buffering

  private struct State {
    /// Nil when it has been cancelled or has received the completion.
    var subscriber: S?
    let buffering: Buffering
    var source: Tidings.Subscription?
    var demand = Subscribers.Demand.none
    var waiting = Waiting<S.Input>()
    /// At first until the subscriber has its subscription.
    var isBusy = true
    var hasEnded = false

    /// For a thread that brings something: whether it is the one that works.
    mutating func claim() -> Bool {
      defer { isBusy = true }
      return !isBusy && subscriber != nil
    }

    /// Gives back what is dropped, to be released outside the lock.
    mutating func add(_ value: S.Input) -> S.Input? {
      if subscriber == nil { return nil }
      // A value that the subscriber has already demanded counts as delivered.
      func isOver(_ limit: Int) -> Bool { demand.max.map { waiting.count - $0 >= limit } ?? false }
      switch buffering {
      case .oldest(let limit) where isOver(limit): return value
      case .newest(let limit) where isOver(limit):
        waiting.append(value)
        return waiting.removeFirst()
      default:
        waiting.append(value)
        return nil
      }
    }

    /// For the thread that works: what to do next, nil when nothing.
    mutating func next(_ more: Subscribers.Demand) -> Step? {
      demand += more
      if let subscriber, demand > .none, let value = waiting.removeFirst() {
        demand -= .max(1)
        return .deliver(subscriber, value)
      }
      isBusy = false
      guard hasEnded, waiting.count == 0, let subscriber else { return nil }
      defer { (self.subscriber, source) = (nil, nil) }
      return .complete(subscriber, source)
    }
  }
  private enum Step {
    case deliver(S, S.Input)
    case complete(S, Tidings.Subscription?)
  }
  private let state: Lock<State>

  init(_ subscriber: S, _ buffering: Buffering) { state = Lock(State(subscriber: subscriber, buffering: buffering)) }

  func open(_ attach: (@escaping @Sendable (S.Input) -> Void) -> Tidings.Subscription) {
    let end = End(self)
    let source = attach { end.adapter.receive($0) }
    let subscriber = state.withLock { state in
      state.source = source
      return state.subscriber
    }
    subscriber?.receive(subscription: self)
    work()
  }

  func receive(_ value: S.Input) {
    let (dropped, isMine) = state.withLock { ($0.add(value), $0.claim()) }
    withExtendedLifetime(dropped) {}
    if isMine { work() }
  }

  func request(_ demand: Subscribers.Demand) {
    let isMine = state.withLock { state in
      state.demand += demand
      return state.claim()
    }
    if isMine { work() }
  }

  func end() {
    let isMine = state.withLock { state in
      state.hasEnded = true
      return state.claim()
    }
    if isMine { work() }
  }

  func cancel() {
    let (subscriber, source, waiting) = state.withLock { state in
      defer { (state.subscriber, state.source, state.waiting) = (nil, nil, Waiting()) }
      return (state.subscriber, state.source, state.waiting)
    }
    source?.cancel()
    withExtendedLifetime((subscriber, waiting)) {}
  }

  private func work() {
    var more = Subscribers.Demand.none
    while let step = state.withLock({ $0.next(more) }) {
      switch step {
      case .deliver(let subscriber, let value): more = subscriber.receive(value)
      case .complete(let subscriber, _):
        subscriber.receive(completion: .finished)
        return
      }
    }
  }
}

private protocol Receiving<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable
  func receive(_ value: Value)
  func end()
}

/// Retained by the handler alone, so it is deinitialized when no more values can come.
private final class End<Value: Sendable>: Sendable {
  let adapter: any Receiving<Value>
  init(_ adapter: any Receiving<Value>) { self.adapter = adapter }
  deinit { adapter.end() }
}

/// A queue of values, first in first out.
struct Waiting<Value> {
  private var values: [Value?] = []
  private var first = 0

  var count: Int { values.count - first }

  mutating func append(_ value: Value) { values.append(value) }

  mutating func removeFirst() -> Value? {
    if count == 0 { return nil }
    defer {
      values[first] = nil
      first += 1
      if first * 2 > values.count {
        values.removeFirst(first)
        first = 0
      }
    }
    return values[first]
  }
}
#endif
