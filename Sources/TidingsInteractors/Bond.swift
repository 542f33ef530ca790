public import Tidings

/// What keeps two values bound to each other: dropping it ends that.
///
/// As a ``Subscription`` it may be used from any thread, and keeps neither value alive.
public final class Bond: Hashable, Sendable {
  private let subscriptions: [Subscription]
  /// Why the last change was not carried over; nil when it was.
  public let error: ReadOnly<(any Error)?>

  init(_ subscriptions: [Subscription], _ error: ReadOnly<(any Error)?>) {
    self.subscriptions = subscriptions
    self.error = error
  }
  deinit { cancel() }

  /// Ends the connection: a change that is made from now on is not carried over. Twice does nothing.
  public func cancel() { for subscription in subscriptions { subscription.cancel() } }

  /// Whether changes are still carried over: not cancelled, and both values alive.
  public var isActive: Bool { subscriptions.allSatisfy(\.isActive) }

  /// Keeps this in a set.
  public func store(in set: inout Set<Bond>) { set.insert(self) }

  public static func == (left: Bond, right: Bond) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
