/// How a handler of a `LocalEvent` ends its own subscription: by its one call, or because its owner was deinitialized.
@usableFromInline
final class LocalSelfCancellation {
  weak var subscription: LocalSubscription?
  @usableFromInline var isCalled: Bool
  private weak var owner: AnyObject?
  private let hasOwner: Bool

  @usableFromInline
  init(owner: AnyObject? = nil) {
    isCalled = false
    self.owner = owner
    hasOwner = owner != nil
  }

  var isOrphaned: Bool { hasOwner && owner == nil }
  @usableFromInline func cancel() { subscription?.cancel() }
}

extension LocalSelfCancellation {
  /// As that of `SelfCancellation`.
  @_alwaysEmitIntoClient
  func handler<Owner: AnyObject, Payload>(
    _ owner: Owner, _ call: @escaping (Owner, Payload) -> Void
  ) -> (Payload) -> Void {
    { [weak owner] value in
      if let owner { call(owner, value) } else { self.cancel() }
    }
  }
}
