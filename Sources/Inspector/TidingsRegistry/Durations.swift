import Synchronization

/// How many calls there were, and how long they took altogether and at most. Any thread may add to it.
final class Durations: Sendable {
  private let calls = Atomic<Int>(0)
  private let total = Atomic<Int>(0)
  private let longest = Atomic<Int>(0)

  var count: Int { calls.load(ordering: .relaxed) }
  var nanoseconds: Int { total.load(ordering: .relaxed) }
  var slowest: Int { longest.load(ordering: .relaxed) }

  /// Adds a call that ends now; returns the nanoseconds that it took.
  func add(since start: ContinuousClock.Instant) -> Int {
    let taken = Self.nanoseconds(ContinuousClock.now - start)
    calls.wrappingAdd(1, ordering: .relaxed)
    total.wrappingAdd(taken, ordering: .relaxed)
    longest.max(taken, ordering: .relaxed)
    return taken
  }

  static func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, rest) = duration.components
    return Int(seconds) * 1_000_000_000 + Int(rest / 1_000_000_000)
  }
}
