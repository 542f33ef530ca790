/// A live count, for a test that waits until it falls.
final class LiveCount: @unchecked Sendable {  // the count is under the monitor
  private let monitor = Monitor()
  private var count = 0

  var alive: Int { monitor.withLock { count } }

  func add(_ difference: Int) {
    monitor.withLock {
      count += difference
      monitor.signal()
    }
  }

  /// False when they are still more when the time is over.
  func wait(atMost limit: Int, seconds: Int) -> Bool {
    let deadline = Monitor.deadline(inSeconds: seconds)
    return monitor.withLock {
      while count > limit {
        if !monitor.wait(until: deadline) { return count <= limit }
      }
      return true
    }
  }
}
