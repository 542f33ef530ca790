import Synchronization

/// Runs tasks on the thread that drives, and only when it says so.
final class InlinePool: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Until none waits.
  func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// The result that a task leaves for the driving thread. The task runs on the same thread.
final class Outcome<Value>: @unchecked Sendable {
  var value: Value?
  var isDone = false
}
