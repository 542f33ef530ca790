/// The event and the subscription that all subscriptions to a shared source have in common; retained by their handlers.
@usableFromInline
final class SharedConnection: @unchecked Sendable {  // `lock` guards what changes; beside it as in `Completion`
  private let lock: Lock<Void>
  private weak var links: UpstreamSubscriptions?
  private weak var event: AnyObject?
  @usableFromInline init() { lock = Lock(()) }

  @usableFromInline
  var current: (links: UpstreamSubscriptions, event: AnyObject)? {
    lock.withLock { _ in
      guard let links, let event else { return nil }
      return (links, event)
    }
  }
  @usableFromInline
  func set(_ links: UpstreamSubscriptions, _ event: AnyObject) {
    lock.withLock { _ in (self.links, self.event) = (links, event) }
  }
}
