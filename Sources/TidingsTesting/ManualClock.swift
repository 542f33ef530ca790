/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let searches = typed.debounced(for: .seconds(1), clock: clock).record()
/// typed.emit("swift")
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(1))
/// await typed.drained()
/// #expect(searches.values == ["swift"])
/// ```
///
/// A test that uses it waits for what tasks do, never for time to pass. It can be used from any thread.
public final class ManualClock: Clock, Sendable {
  /// A moment, counted from the making of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration
    /// The moment at which a clock is made.
    public static let zero = Instant(offset: .zero)
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct Sleeper: Sendable {
    let number: Int
    let deadline: Instant
    let continuation: UnsafeContinuation<Void, any Error>
  }
  private struct Watcher: Sendable {
    let count: Int
    let continuation: UnsafeContinuation<Void, Never>
  }
  private struct State: Sendable {
    var now = Instant(offset: .zero)
    var numbers = 0
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []

    mutating func takeWatchers() -> [Watcher] {
      let count = sleepers.count
      defer { watchers.removeAll { $0.count <= count } }
      return watchers.filter { $0.count <= count }
    }
  }
  private let state = Locked(State())

  /// Makes a clock that stands at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero: the clock stands where it was advanced to.
  public var minimumResolution: Duration { .zero }
  /// The number of tasks that sleep on it.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock on, and wakes the tasks whose time has come, the earliest first.
  ///
  /// It does not wait for what those tasks do: `drained()` of the source that the test observes does.
  ///
  /// - Parameter duration: How far.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      let now = state.now.advanced(by: duration)
      state.now = now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns when at least `count` tasks sleep on the clock.
  ///
  /// An operator with a clock sleeps in a task. So a test calls this between an emit and ``advance(by:)``.
  ///
  /// - Parameter count: The number of tasks.
  public func sleepers(_ count: Int) async {
    await withUnsafeContinuation { continuation in
      let isMet = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append(Watcher(count: count, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  /// Returns when the clock was advanced to `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Not used.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        add(Sleeper(number: number, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      let cancelled = state.withLock { state in
        state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
      }
      cancelled?.continuation.resume(throwing: CancellationError())
    }
  }

  private func add(_ sleeper: Sleeper) {
    enum Outcome {
      case cancelled, over
      case asleep([Watcher])
    }
    let outcome = state.withLock { state -> Outcome in
      // Under the lock: a task that cancels sets the flag before it looks for the sleeper.
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
}
