import Tidings

/// Calls a closure when it was not renewed for an interval.
final class Deadline<C: Clock<Duration>>: Sendable {
  private let clock: C
  private let interval: Duration
  private let state: Lock<State>
  private struct State {
    var deadline: C.Instant
    var task: Task<Void, Never>?
    var renewals: UInt = 0
    var isOver = false
  }

  init(_ clock: C, _ interval: Duration, _ expire: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.interval = interval
    state = Lock(State(deadline: clock.now.advanced(by: interval)))
    // One task, which looks again at the end of each interval: a task for each value would cost more than the value.
    let task = Task { [weak self] in
      while let (deadline, renewals) = self?.current {
        if deadline > clock.now {
          do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
        } else if self?.end(after: renewals) ?? false {
          return expire()
        }
      }
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
      state.renewals &+= 1
      return state.deadline
    }
    withExtendedLifetime(before) {}
  }
  /// The deadline, with the number of renewals so far; nil when it is over.
  private var current: (deadline: C.Instant, renewals: UInt)? {
    state.withLock { $0.isOver ? nil : ($0.deadline, $0.renewals) }
  }
  /// Whether this is the end: no other came before, and no renewal after the given number.
  private func end(after renewals: UInt? = nil) -> Bool {
    state.withLock { state in
      if state.isOver || renewals.map({ $0 != state.renewals }) ?? false { return false }
      state.isOver = true
      return true
    }
  }
  func cancel() {
    if end() { state.withLock { $0.task }?.cancel() }
  }
}
