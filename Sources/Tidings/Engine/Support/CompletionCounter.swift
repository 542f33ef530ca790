import Synchronization

/// Counts what must be over before `emitAndWait` returns: the delivery itself and every queued call. A `DispatchGroup` for one
/// waiting task.
final class CompletionCounter: Sendable {
  private let left = Atomic<Int>(1)
  private let done: UnsafeContinuation<Void, Never>

  init(_ done: UnsafeContinuation<Void, Never>) { self.done = done }

  func enter() { left.add(1, ordering: .relaxed) }
  func leave() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.resume() }
  }
}
