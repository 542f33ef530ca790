/// How an operator ends its own subscription: no value comes any more, and what it has passed on still arrives.
@usableFromInline
final class Completion: Sendable {
  private struct State {
    weak var subscription: Subscription?
    var isComplete = false
  }
  private let state = Lock(State())

  @usableFromInline init() {}

  /// The subscription may be complete before this: another thread may emit while it is being made.
  @usableFromInline
  func bind(_ subscription: Subscription) {
    let isComplete = state.withLock { state in
      state.subscription = subscription
      return state.isComplete
    }
    if isComplete { subscription.retire() }
  }

  @usableFromInline
  func complete() {
    let subscription = state.withLock { state in
      state.isComplete = true
      return state.subscription
    }
    subscription?.retire()
  }
}

extension Subscription {
  /// Ends it; what is on its way to the handler's actor still arrives, as long as the subscription is kept.
  fileprivate func retire() { registration.list.remove(registration, lettingArrive: true) }
}

extension EventSource {
  /// An operator with a state of its own that can end the subscription.
  @_alwaysEmitIntoClient
  func completing<Output: Sendable>(
    _ transform: @escaping @Sendable (@escaping Passing<Output>, Completion) -> Passing<Payload>
  ) -> Operated<Output> {
    let source = oneAtATime
    return Operated(.serial) { handler in
      let completion = Completion()
      let subscription = source.attach(handler.behind { transform($0, completion) })
      completion.bind(subscription)
      return subscription
    }
  }

  /// The same source for handlers that end by themselves: their tokens may be dropped.
  @_alwaysEmitIntoClient
  var owning: Operated<Payload> { Operated(knownPolicy) { attach($0.owned()) } }
}
