import Tidings

/// Calls a closure when it was not renewed for an interval.
final class Deadline<C: Clock<Duration>>: Sendable {
  private let clock: C
  private let interval: Duration
  private let state: Lock<State>
  private struct State {
    var deadline: C.Instant
    var task: Task<Void, Never>?
    var isOver = false
  }

  init(_ clock: C, _ interval: Duration, _ expire: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.interval = interval
    state = Lock(State(deadline: clock.now.advanced(by: interval)))
    // One task, which looks again at the end of each interval: a task for each value would cost more than the value.
    let task = Task { [weak self] in
      while let deadline = self?.left {
        do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
      }
      if self?.end() ?? false { expire() }
    }
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  func renew() {
    let deadline = clock.now.advanced(by: interval)
    // A moment is a type of the user's: it is compared, and destroyed, outside the lock.
    let before = state.withLock { state in
      defer { state.deadline = deadline }
      return state.deadline
    }
    withExtendedLifetime(before) {}
  }
  /// The deadline, nil when it has passed.
  private var left: C.Instant? {
    let deadline = state.withLock { $0.deadline }
    return deadline > clock.now ? deadline : nil
  }
  /// Whether this is the first end.
  private func end() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
  func cancel() {
    if end() { state.withLock { $0.task }?.cancel() }
  }
}
