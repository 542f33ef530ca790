import Synchronization

/// Counts what must be over before `emitAndWait` returns: the delivery itself and every queued call. A `DispatchGroup` for one
/// waiting task.
final class CompletionCounter: Sendable {
  private let left = Atomic<Int>(1)
  private let done: UnsafeContinuation<Void, Never>
  /// The task that waits; 0 for none that is known. It goes with the value, which another thread may deliver: so a handler that
  /// would wait for itself is found on whichever thread.
  let waitingTask: Int

  init(_ done: UnsafeContinuation<Void, Never>, waitingTask: Int = 0) {
    self.done = done
    self.waitingTask = waitingTask
  }
  /// A number for the current task, to be compared while that task lives; 0 outside every task.
  static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  func enter() { left.add(1, ordering: .relaxed) }
  func leave() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.resume() }
  }
}
