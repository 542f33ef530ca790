import Synchronization

/// Receives the subscriptions that are made in a task, so that a test can find those that are left.
///
/// The tracker belongs to tests, and is compiled there: it would add 8 KB to every client.
package protocol SubscriptionTracker: Sendable {
  func note(_ subscription: Subscription)
  /// One that another subscription holds, and that ends with it.
  func leaveOut(_ subscription: Subscription)
}
