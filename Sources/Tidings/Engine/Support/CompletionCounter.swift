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
  /// The task that waits; 0 for none that is known. Its number travels with the value, which another thread may deliver. So a
  /// handler that would wait for itself is found on any thread.
  private let waitingTask: Int
  /// The counter of the caller that waits for the call that the waiting task makes.
  private let outer: CompletionCounter?
  /// Whether a value in the buffer of a stream counts as one that is on its way.
  let includesBuffers: Bool

  init(_ done: UnsafeContinuation<Void, Never>, waitingTask: Int = 0) {
    next = .resume(done)
    includesBuffers = false
    self.waitingTask = waitingTask
    outer = waitingTask == 0 ? nil : Self.ofTheCall
  }
  /// - Parameter next: Called on the thread that leaves last, which holds no lock.
  init(waitingTask: Int = 0, includingBuffers: Bool = false, _ next: @escaping @Sendable () -> Void) {
    self.next = .call(next)
    includesBuffers = includingBuffers
    self.waitingTask = waitingTask
    outer = waitingTask == 0 ? nil : Self.ofTheCall
  }
  /// A number for the current task, to be compared while that task lives; 0 outside every task.
  static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  /// A task that makes an awaited call of a handler, and the counter of the caller that waits. Tasks that the handler starts inherit
  /// it, but no caller waits for those.
  @TaskLocal private static var call: (task: Int, counter: CompletionCounter)?
  /// Runs a call of a handler that is waited for.
  func whileCalling(_ body: () async -> Void) async {
    await Self.$call.withValue((Self.currentTask, self)) { await body() }
  }
  /// The counter of the call that the current task makes, if a caller waits for that call.
  static var ofTheCall: CompletionCounter? {
    guard let call, call.task == currentTask else { return nil }
    return call.counter
  }
  enum Waiter { case none, itself, another }
  /// Whether the task waits for this, or for a call that does.
  func waiter(_ task: Int) -> Waiter {
    if task == 0 { return .none }
    if task == waitingTask { return .itself }
    var next = outer
    while let counter = next {
      if counter.waitingTask == task { return .another }
      next = counter.outer
    }
    return .none
  }

  func enter() { left.add(1, ordering: .relaxed) }
  func leave() {
    guard left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    switch next {
    case .resume(let task): task.resume()
    case .call(let step): step()
    }
  }
}
