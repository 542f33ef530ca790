import Synchronization

/// Hears of the subscriptions that are made in a task, so that a test can tell which of them are left.
///
/// Who watches is a matter of tests, and compiled there: 8 KB of every client.
package protocol Watcher: Sendable {
  func note(_ subscription: Subscription)
  /// One that another subscription holds, and that ends with it.
  func leaveOut(_ subscription: Subscription)
}

/// While nobody watches, it costs a subscription one relaxed load.
package enum Watch {
  @TaskLocal package static var current: (any Watcher)?
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
