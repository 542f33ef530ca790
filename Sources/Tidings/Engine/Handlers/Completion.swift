/// How an operator completes its own subscription: no more values come, and what it has passed on is still delivered, as long as the
/// subscription is kept.
@usableFromInline
final class Completion: @unchecked Sendable {  // `lock` guards what changes
  // Beside the lock and not in it: the type of a state with a weak reference is half a kilobyte of every client.
  private let lock: Lock<Void>
  /// The slot and not the subscription, which a second reference would keep alive: dropped meanwhile, it would cancel late.
  private weak var slot: Slot?
  private weak var list: HandlerList?
  private var isComplete: Bool

  @usableFromInline init() {
    lock = Lock(())
    isComplete = false
  }

  /// The subscription may be complete before this: another thread may emit while it is being made.
  @usableFromInline
  func bind(_ subscription: Subscription) {
    let list = subscription.registration.list
    let slot = list.slot(of: subscription)
    let isComplete = lock.withLock { _ in
      (self.slot, self.list) = (slot, list)
      return self.isComplete
    }
    if isComplete, let slot { list.complete(slot) }
  }

  @usableFromInline
  func complete() {
    let (slot, list) = lock.withLock { _ in
      isComplete = true
      return (self.slot, self.list)
    }
    if let slot, let list { list.complete(slot) }
  }
}
