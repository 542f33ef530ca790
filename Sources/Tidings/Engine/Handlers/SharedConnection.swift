/// The event and the subscription that those share who subscribe to a shared source; kept by their handlers.
@usableFromInline
final class SharedConnection: @unchecked Sendable {  // `lock` guards what changes; beside it as in `Completion`
  private let lock = Lock(())
  private weak var links: Links?
  private weak var event: AnyObject?
  @usableFromInline init() {}

  @usableFromInline
  var current: (links: Links, event: AnyObject)? {
    lock.withLock { _ in
      guard let links, let event else { return nil }
      return (links, event)
    }
  }
  @usableFromInline
  func set(_ links: Links, _ event: AnyObject) {
    lock.withLock { _ in (self.links, self.event) = (links, event) }
  }
}
