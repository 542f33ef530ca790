/// How a handler of a `LocalEvent` ends its own subscription: by its one call, or because its owner is gone.
final class LocalEnding {
  weak var subscription: LocalSubscription?
  var isCalled = false
  private weak var owner: AnyObject?
  private let hasOwner: Bool

  init(owner: AnyObject? = nil) {
    self.owner = owner
    hasOwner = owner != nil
  }

  var isOrphaned: Bool { hasOwner && owner == nil }
  func cancel() { subscription?.cancel() }
}
