import Dispatch
import Harness

typealias TaskWork = @Sendable (_ count: Int) async -> Void

extension Trial {
  /// Runs the work in a task and waits for it on this thread; the task's own thread is timed. For work that never waits,
  /// and so stays on that thread.
  static func inTask(_ name: String, _ make: @escaping (Tally) -> TaskWork) -> Trial {
    .timed(name) {
      let work = make(Tally())
      return { count in
        let (timing, done) = (Box(), DispatchSemaphore(value: 0))
        Task.detached {
          let watch = Stopwatch()
          await work(count)
          timing.nanoseconds = watch.nanoseconds
          done.signal()
        }
        done.wait()
        return Timing(nanoseconds: timing.nanoseconds, operations: count)
      }
    }
  }

  private final class Box: @unchecked Sendable {  // the semaphore orders both accesses
    var nanoseconds = 0.0
  }
}
