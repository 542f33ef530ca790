#if NATS
import Foundation
import Tidings

/// A thread for the tasks that send. They may block: while the broker takes nothing, the client library waits.
final class SendingThread: TaskExecutor {
  private struct State {
    var jobs: [(UnownedJob, UnownedTaskExecutor)] = []
    var isClosed = false
  }
  /// The part of the executor that the thread retains, so that it does not retain the executor.
  private final class Queue: Sendable {
    let state = Lock(State())
    let work = DispatchSemaphore(value: 0)
  }
  private let queue = Queue()

  init() {
    let thread = Thread { [queue] in
      while true {
        queue.work.wait()
        let (jobs, isClosed) = queue.state.withLock { state in
          defer { state.jobs = [] }
          return (state.jobs, state.isClosed)
        }
        // The executor of a job exists until the job has run: it is kept by the task that prefers it.
        for (job, executor) in jobs { job.runSynchronously(on: executor) }
        if isClosed { return }
      }
    }
    thread.name = "Tidings.NATS.sending"
    thread.start()
  }
  deinit {
    queue.state.withLock { $0.isClosed = true }
    queue.work.signal()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let entry = (UnownedJob(job), asUnownedTaskExecutor())
    queue.state.withLock { $0.jobs.append(entry) }
    queue.work.signal()
  }
}
#endif
