public import Tidings

/// The token of two values that are bound to each other: dropping it ends the connection.
///
/// Like a `Subscription` it may be used from any thread, and retains neither value.
public final class Bond: Hashable, Sendable {
  private let subscriptions: [Subscription]
  /// Why the last change was not written to the other value; nil when it was.
  public let error: ReadOnly<(any Error)?>

  init(_ subscriptions: [Subscription], _ error: ReadOnly<(any Error)?>) {
    self.subscriptions = subscriptions
    self.error = error
  }
  deinit { cancel() }

  /// Ends the connection: later changes are not written to the other value. Cancelling twice does nothing.
  public func cancel() { for subscription in subscriptions { subscription.cancel() } }

  /// Whether changes are still written: the bond is not cancelled, and both values are alive.
  public var isActive: Bool { subscriptions.allSatisfy(\.isActive) }

  /// Inserts this into a set, which keeps it.
  ///
  /// - Parameter set: The set.
  public func store(in set: inout Set<Bond>) { set.insert(self) }

  public static func == (left: Bond, right: Bond) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
