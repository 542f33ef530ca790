/// A serial executor with a thread of its own.
package final class Worker: SerialExecutor, @unchecked Sendable {
  private let monitor = Monitor()
  private var jobs: [UnownedJob] = []
  private var isEnded = false
  private var thread: UInt = 0
  private var handedOver = 0

  package init(stackSize: Int? = nil) {
    // The thread holds the worker; the actor, which the thread does not hold, ends both.
    Platform.startThread(stackSize: stackSize) { [self] in work() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.withLock {
      jobs.append(job)
      handedOver += 1
      monitor.signal()
    }
  }

  /// Lets the thread exit when its jobs are done.
  package func end() {
    monitor.withLock {
      isEnded = true
      monitor.signal()
    }
  }

  /// How many jobs it was ever handed.
  package var jobCount: Int { monitor.withLock { handedOver } }

  /// Waits until it was handed more than `count` jobs.
  package func waitForJob(after count: Int) { monitor.withLock { while handedOver <= count { monitor.wait() } } }

  package var isHere: Bool { monitor.withLock { thread == Threads.current } }

  private func work() {
    monitor.withLock { thread = Threads.current }
    while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func next() -> UnownedJob? {
    monitor.withLock {
      while jobs.isEmpty {
        if isEnded { return nil }
        monitor.wait()
      }
      return jobs.removeFirst()
    }
  }
}
