/// How an operator ends its own subscription: no value comes any more, and what it has passed on still arrives.
@usableFromInline
final class Completion: @unchecked Sendable {  // `lock` guards what changes
  // Beside the lock and not in it: the type of a state with a weak reference is half a kilobyte of every client.
  private let lock = Lock(())
  private weak var subscription: Subscription?
  private var isComplete = false

  @usableFromInline init() {}

  /// The subscription may be complete before this: another thread may emit while it is being made.
  @usableFromInline
  func bind(_ subscription: Subscription) {
    let isComplete = lock.withLock { _ in
      self.subscription = subscription
      return self.isComplete
    }
    if isComplete { subscription.retire() }
  }

  @usableFromInline
  func complete() {
    let subscription = lock.withLock { _ in
      isComplete = true
      return self.subscription
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
