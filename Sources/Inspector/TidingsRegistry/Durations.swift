import Synchronization

/// How many calls there were, and how long they took altogether and at most. Any thread may add to it.
///
/// Nanoseconds take 64 bits on each system: 32 are used up after 2.15 seconds.
final class Durations: Sendable {
  private let calls = Atomic<Int>(0)
  private let total = Atomic<Int64>(0)
  private let longest = Atomic<Int64>(0)

  var count: Int { calls.load(ordering: .relaxed) }
  var nanoseconds: Int64 { total.load(ordering: .relaxed) }
  var slowest: Int64 { longest.load(ordering: .relaxed) }

  /// Adds a call that ends now; returns the nanoseconds that it took.
  func add(since start: ContinuousClock.Instant) -> Int64 {
    let taken = Self.nanoseconds(ContinuousClock.now - start)
    calls.wrappingAdd(1, ordering: .relaxed)
    total.wrappingAdd(taken, ordering: .relaxed)
    longest.max(taken, ordering: .relaxed)
    return taken
  }

  /// At most a hundred years.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, rest) = min(duration, .seconds(3_155_760_000)).components
    return seconds * 1_000_000_000 + rest / 1_000_000_000
  }
}
