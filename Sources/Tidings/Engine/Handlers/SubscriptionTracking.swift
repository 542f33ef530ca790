import Synchronization

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
