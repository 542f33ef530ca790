import Synchronization

/// Counts what must be over before `emitAndWait` or `drained()` returns: the delivery itself and every queued call. A
/// `DispatchGroup` for one waiting task, or for a step that follows.
final class CompletionCounter: Sendable {
  private let left = Atomic<Int>(1)
  private enum Next {
    case resume(UnsafeContinuation<Void, Never>)
    case call(@Sendable () -> Void)
  }
  private let next: Next
  /// The task that waits; 0 for none that is known. It goes with the value, which another thread may deliver: so a handler that
  /// would wait for itself is found on whichever thread.
  let waitingTask: Int

  init(_ done: UnsafeContinuation<Void, Never>, waitingTask: Int = 0) {
    next = .resume(done)
    self.waitingTask = waitingTask
  }
  /// - Parameter next: Called on the thread that leaves last, which holds no lock.
  init(_ next: @escaping @Sendable () -> Void) {
    self.next = .call(next)
    waitingTask = 0
  }
  /// A number for the current task, to be compared while that task lives; 0 outside every task.
  static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  func enter() { left.add(1, ordering: .relaxed) }
  func leave() {
    guard left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    switch next {
    case .resume(let task): task.resume()
    case .call(let step): step()
    }
  }
}
