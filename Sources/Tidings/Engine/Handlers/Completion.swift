/// How an operator completes its own subscription: no more values come, and what it has passed on is still delivered.
@usableFromInline
final class Completion: @unchecked Sendable {  // `lock` guards what changes
  // Beside the lock and not in it: the type of a state with a weak reference is half a kilobyte of every client.
  private let lock: Lock<Void>
  private weak var subscription: Subscription?
  private var isComplete: Bool

  @usableFromInline init() {
    lock = Lock(())
    isComplete = false
  }

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
  fileprivate func retire() { registration.list.remove(registration, deliveringQueued: true) }
}
