import CSystem

/// Started when made.
public struct Stopwatch {
  public enum Clock {
    /// The time this thread has spent on a processor: what other programs take is not counted. For work of one thread
    /// that never waits.
    case thread
    case wall

    var now: Int64 {
      switch self {
      case .thread: bench_thread_nanoseconds()
      case .wall: bench_wall_nanoseconds()
      }
    }
  }

  private let clock: Clock
  private let start: Int64

  public init(_ clock: Clock = .thread) {
    self.clock = clock
    start = clock.now
  }

  public var nanoseconds: Double { Double(clock.now - start) }
}
