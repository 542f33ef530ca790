import Synchronization

/// Runs `body` on this thread, before it returns, in a task that has no task-local values; false where that cannot be, and
/// `body` is not run: where the actor's executor does not say that this is its thread.
///
/// For values that other code emitted: the task-local values of the thread that happens to deliver them are unrelated. `here`
/// is the actor that the caller runs on. It takes some 400 ns, once for all that is queued.
///
/// On a system without immediate tasks `body` sees those values, except for the carried ones. A task of its own would hide them, and
/// an `emit` would return before its handlers were called.
@inline(never)
func withoutTaskLocals(on here: (any Actor)?, _ body: @escaping @Sendable () -> Void) -> Bool {
  #if TIDINGS_PORTABLE
  guard startsImmediateTasks else { return runInPlace(body) }
  #endif
  guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return runInPlace(body) }
  let turn = Turn()
  start.call(here) { if turn.take() { body() } }
  return !turn.take()
}

private func runInPlace(_ body: () -> Void) -> Bool {
  body()
  return true
}

/// Starts a task on no actor, which sees none of the caller's task-local values.
///
/// One function for every place that starts one, and not generic: each call of `Task.detached` is half a kilobyte of every
/// client.
@inline(never)
func startDetached(_ body: @escaping @Sendable () async -> Void) {
  #if TIDINGS_EXPLORED
  if let scheduler = Seam.scheduler {
    Task.detached(executorPreference: scheduler.executor, operation: body)
    return
  }
  #endif
  Task.detached(operation: body)
}

/// Taken by the first caller alone.
private final class Turn: Sendable {
  private let isTaken = Atomic(false)
  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

// The caller is on the actor, and the compiler cannot see it; the conversion is that of `Isolation.swift`.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private func startTask(_ here: isolated (any Actor)?, _ body: @escaping @Sendable () -> Void) {
  Task.immediateDetached {
    _ = here
    body()
  }
}
private struct OnActor { let call: @Sendable (isolated (any Actor)?, @escaping @Sendable () -> Void) -> Void }
private struct Anywhere { let call: @Sendable ((any Actor)?, @escaping @Sendable () -> Void) -> Void }
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private let start = unsafeBitCast(OnActor(call: startTask), to: Anywhere.self)
