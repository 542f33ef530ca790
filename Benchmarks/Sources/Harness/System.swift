import CSystem

/// What the harness asks the system.
public enum System {
  /// Bytes allocated on the heap now, the allocator's headers and rounding included; nil where it does not tell.
  public static var heapBytes: Int? {
    let bytes = bench_heap_bytes()
    return bytes < 0 ? nil : Int(bytes)
  }

  /// How many threads wanted a processor over the last minute; nil where the system does not tell.
  public static var load: Double? {
    let load = bench_load()
    return load < 0 ? nil : load
  }
}

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
