import Synchronization

/// Self-cancellation: how a handler ends its own subscription, by its one call or because its owner was deinitialized.
@usableFromInline
final class SelfCancellation: @unchecked Sendable {  // written once, before the handler can be called
  private weak var subscription: Subscription?
  private weak var owner: AnyObject?
  private let hasOwner: Bool
  private let claimed: Atomic<Bool>

  @usableFromInline
  init(owner: AnyObject? = nil) {
    claimed = Atomic(false)
    self.owner = owner
    hasOwner = owner != nil
  }

  @usableFromInline var isOrphaned: Bool { hasOwner && owner == nil }
  #if DEBUG
  /// The address of the owner; nil if there is none.
  var ownerAddress: UnsafeRawPointer? { owner.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
  #endif
  /// Not `precondition`, which says nothing in a release build.
  static func stopAttachingTwice() -> Never {
    fatalError(
      "an EventHandler was attached twice: each attach needs a handler of its own; use merge to observe several sources"
    )
  }

  @inline(never)
  func bind(_ subscription: Subscription) {
    if self.subscription != nil { Self.stopAttachingTwice() }
    self.subscription = subscription
  }
  /// The subscription was never used: the handler gets another one.
  func unbind() { subscription = nil }
  /// For a handler that is called once: true for the first caller, whose call it is. The subscription has ended by then.
  @usableFromInline
  func begin() -> Bool {
    if claimed.exchange(true, ordering: .acquiringAndReleasing) { return false }
    if let subscription { subscription.registration.list.remove(subscription.registration, calling: true) }
    return true
  }
  @usableFromInline func cancel() { subscription?.cancel() }
}

extension SelfCancellation {
  /// A handler that calls `call` with the owner, held weakly, and cancels itself once the owner is deinitialized.
  @_alwaysEmitIntoClient
  func handler<Owner: AnyObject & Sendable, Payload>(
    _ owner: Owner, _ call: @escaping @Sendable (Owner, Payload) -> Void
  ) -> PlainHandler<Payload> {
    { [weak owner] value in
      if let owner { call(owner, value) } else { self.cancel() }
    }
  }
}
