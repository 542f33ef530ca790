import Synchronization

/// A clock that does not move until it is advanced.
///
/// ```swift
/// await clock.sleeper(until: 5)
/// clock.advance(by: .seconds(5))
/// ```
///
/// A task that waits here waits for what another task does, never for time to pass.
final class TestClock: Clock, Sendable {
  /// Counted from the making of the clock.
  struct Instant: InstantProtocol {
    let offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: UnsafeContinuation<Void, any Error>
  }
  private struct Watcher {
    let isMet: @Sendable (State) -> Bool
    let continuation: UnsafeContinuation<Void, Never>
  }
  private struct State {
    var now = Instant(offset: .zero)
    var readings = 0
    var ids = 0
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []

    mutating func takeWatchers() -> [Watcher] {
      let state = self
      watchers.removeAll { $0.isMet(state) }
      return state.watchers.filter { $0.isMet(state) }
    }
  }
  private let state = Mutex(State())

  // MARK: As a clock

  var minimumResolution: Duration { .zero }

  var now: Instant {
    let (now, watchers) = state.withLock { state in
      state.readings += 1
      return (state.now, state.takeWatchers())
    }
    for watcher in watchers { watcher.continuation.resume() }
    return now
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        lieDown(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }?.continuation.resume(throwing: CancellationError())
    }
  }

  private func lieDown(_ sleeper: Sleeper) {
    enum Outcome {
      case cancelled
      case over
      case asleep([Watcher])
    }
    let outcome: Outcome = state.withLock { state in
      // Looked at under the lock: a task that cancels sets the flag before it looks for the sleeper.
      if Task.isCancelled { return .cancelled }
      if sleeper.deadline <= state.now { return .over }
      state.sleepers.append(sleeper)
      return .asleep(state.takeWatchers())
    }
    switch outcome {
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .over: sleeper.continuation.resume()
    case .asleep(let watchers): for watcher in watchers { watcher.continuation.resume() }
    }
  }

  // MARK: In a test's hands

  /// How many sleep on it.
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Wakes those whose time has come, the earliest first.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      let now = state.now.advanced(by: duration)
      state.now = now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns when a task sleeps until then.
  func sleeper(until seconds: Int) async {
    let deadline = Instant(offset: .seconds(seconds))
    await reach { state in state.sleepers.contains { $0.deadline == deadline } }
  }

  /// Returns when a task has looked at the time since `body` began.
  func reading(after body: () -> Void) async {
    let before = state.withLock { $0.readings }
    body()
    await reach { $0.readings > before }
  }

  private func reach(_ isMet: @escaping @Sendable (State) -> Bool) async {
    await withUnsafeContinuation { continuation in
      let isMetAlready = state.withLock { state in
        if isMet(state) { return true }
        state.watchers.append(Watcher(isMet: isMet, continuation: continuation))
        return false
      }
      if isMetAlready { continuation.resume() }
    }
  }
}
