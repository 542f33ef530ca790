import Tidings

/// The members of a scope. A separate object, so that a task that removes itself does not retain the scope.
///
/// Nothing is cancelled under the lock, because cancelling destroys captures, which runs user code.
final class ScopeMembers: Sendable {
  private struct State {
    var hasEnded = false
    /// Kept after the end, for `finish`. A cancelled subscription retains no handler.
    var subscriptions: [Subscription] = []
    /// The number of subscriptions at which those that have ended are removed.
    var limit = 16
    /// The running tasks; nil between a task's reservation and its start.
    var tasks: [UInt: Task<Void, Never>?] = [:]
    var taskCount: UInt = 0
    var children: [Child] = []
  }
  private struct Child { weak var members: ScopeMembers? }
  private let state = Lock(State())

  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  /// The members in words.
  var summary: String {
    let (hasEnded, subscriptions, tasks) = state.withLock { ($0.hasEnded, $0.subscriptions, $0.tasks.count) }
    if hasEnded { return "ended" }
    func counted(_ count: Int, _ kind: String) -> String { "\(count) \(kind)\(count == 1 ? "" : "s")" }
    return counted(subscriptions.count { $0.isActive }, "subscription") + ", " + counted(tasks, "task")
  }

  func add(_ subscription: Subscription) {
    let (hasEnded, left) = state.withLock { state -> (Bool, [Subscription]) in
      var left: [Subscription] = []
      if state.subscriptions.count >= state.limit {
        left = state.subscriptions
        state.subscriptions.removeAll { !$0.isActive }
        state.limit = max(16, state.subscriptions.count * 2)
      }
      state.subscriptions.append(subscription)
      return (state.hasEnded, left)
    }
    if hasEnded { subscription.cancel() }
    withExtendedLifetime(left) {}
  }

  func add(_ child: ScopeMembers) {
    let hasEnded = state.withLock { state in
      state.children.removeAll { $0.members == nil }
      state.children.append(Child(members: child))
      return state.hasEnded
    }
    if hasEnded { child.cancel() }
  }

  /// Returns a number for a task that is about to start.
  func reserve() -> UInt {
    state.withLock { state in
      state.taskCount += 1
      state.tasks[state.taskCount] = .some(nil)
      return state.taskCount
    }
  }
  func enter(_ task: Task<Void, Never>, as number: UInt) {
    let hasEnded = state.withLock { state in
      // Absent if the task has already completed.
      if state.tasks[number] != nil { state.tasks[number] = task }
      return state.hasEnded
    }
    if hasEnded { task.cancel() }
  }
  func leave(_ number: UInt) {
    let task = state.withLock { $0.tasks.removeValue(forKey: number) }
    withExtendedLifetime(task) {}
  }

  func cancel() {
    let (subscriptions, tasks, children) = end()
    for subscription in subscriptions { subscription.cancel() }
    for task in tasks { task.cancel() }
    for child in children { child.cancel() }
  }
  /// Called after `cancel()`.
  func finish() async {
    let (subscriptions, tasks, children) = end()
    for subscription in subscriptions { await subscription.finish() }
    for task in tasks { await task.value }
    for child in children { await child.finish() }
  }
  private func end() -> ([Subscription], [Task<Void, Never>], [ScopeMembers]) {
    state.withLock { state in
      state.hasEnded = true
      return (state.subscriptions, state.tasks.values.compactMap { $0 }, state.children.compactMap(\.members))
    }
  }
}
