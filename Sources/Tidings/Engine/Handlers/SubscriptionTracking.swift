import Synchronization

/// Receives the subscriptions that are made in a task, so that a test can find those that are left.
///
/// The tracker belongs to tests, and is compiled there: it would add 8 KB to every client.
package protocol SubscriptionTracker: Sendable {
  func note(_ subscription: Subscription)
  /// One that another subscription holds, and that ends with it.
  func leaveOut(_ subscription: Subscription)
}

/// While no test tracks, it costs a subscription one relaxed load.
package enum SubscriptionTracking {
  @TaskLocal package static var current: (any SubscriptionTracker)?
  /// How many watch, in whatever task.
  package static let watching = Atomic<Int>(0)

  @inline(__always)
  static func note(_ subscription: Subscription) {
    if watching.load(ordering: .relaxed) != 0 { noteIfWatched(subscription) }
  }
  @inline(never)
  private static func noteIfWatched(_ subscription: Subscription) { current?.note(subscription) }

  static func leaveOut(_ subscription: Subscription) {
    if watching.load(ordering: .relaxed) != 0 { current?.leaveOut(subscription) }
  }
}
