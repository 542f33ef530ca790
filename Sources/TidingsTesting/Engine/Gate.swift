/// Holds threads up until it is opened.
package final class Gate: @unchecked Sendable {  // what changes is under the monitor
  private let monitor = Monitor()
  private let seconds: Int
  private var opened = false

  /// - Parameter seconds: how long a thread may wait before the one that should have opened it counts as stuck.
  package init(seconds: Int = 900) { self.seconds = seconds }

  package var isOpen: Bool { monitor.withLock { opened } }

  package func open() {
    monitor.withLock {
      opened = true
      monitor.signal()
    }
  }

  /// False when it was not opened in time, which is a finding and not a hang.
  @discardableResult
  package func wait() -> Bool {
    let deadline = Monitor.deadline(inSeconds: seconds)
    return monitor.withLock {
      while !opened {
        if !monitor.wait(until: deadline) { return opened }
      }
      return true
    }
  }

  /// Suspends the caller's task until the gate is open. False when it was not opened in time.
  ///
  /// A task that held up its thread instead would keep it from the other tests: they share the few threads of the task pool, and
  /// the task that is to open the gate may need one.
  @discardableResult
  package func wait() async -> Bool {
    if isOpen { return true }
    return await withCheckedContinuation { continuation in
      Threads.start { continuation.resume(returning: self.wait()) }
    }
  }
}
