/// The event and the subscription that all subscriptions to a shared source have in common; retained by their handlers.
@usableFromInline
final class SharedConnection: @unchecked Sendable {  // `lock` guards what changes; beside it as in `Completion`
  private let lock: Lock<Void>
  private weak var links: UpstreamSubscriptions?
  private weak var event: AnyObject?
  @usableFromInline init() { lock = Lock(()) }

  /// Nil when there is none, and when nothing comes through it any more: its event may still have values to deliver, and then ends
  /// with every handler that it has.
  @usableFromInline
  var current: (links: UpstreamSubscriptions, event: AnyObject)? {
    // Looked at, and released, outside the lock: the last reference may be one of these.
    let (links, event) = lock.withLock { _ in (self.links, self.event) }
    guard let links, let event, links.areConnected else { return nil }
    return (links, event)
  }
  @usableFromInline
  func set(_ links: UpstreamSubscriptions, _ event: AnyObject) {
    lock.withLock { _ in (self.links, self.event) = (links, event) }
  }
}
