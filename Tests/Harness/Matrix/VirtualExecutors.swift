import Foundation
import Synchronization

// Executors that run a job when the program says so, on its one thread. What waits where is decided by the script of a cell, so
// each cell has one course, and time does not pass.

/// The executor of an actor.
final class VirtualExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }
  func checkIsolated() {}  // there is one thread

  /// - Parameter newest: Whether the job that was added last runs before the others.
  /// - Returns: False if no job waits.
  @discardableResult
  func runNext(newest: Bool = false) -> Bool {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : newest ? $0.removeLast() : $0.removeFirst() }) else {
      return false
    }
    job.runSynchronously(on: asUnownedSerialExecutor())
    return true
  }
}

/// The task pool. What a task of no actor does is handed to it by a hook of the concurrency runtime.
enum VirtualPool {
  /// Swift's convention and C's agree on two pointers.
  private typealias Hook = @convention(c) (_ job: UnsafeRawPointer, _ original: UnsafeRawPointer) -> Void
  private static let jobs = Mutex<[UnownedJob]>([])
  private static let yielding = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// Takes the jobs of the process from now on.
  static func install() {
    guard let hook = dlsym(nil, "swift_task_enqueueGlobal_hook") else { fatalError("the runtime has no hook") }
    hook.assumingMemoryBound(to: Hook?.self).pointee = { VirtualPool.add($0, $1) }
  }
  private static func add(_ job: UnsafeRawPointer, _: UnsafeRawPointer) {
    let job = unsafeBitCast(job, to: UnownedJob.self)
    jobs.withLock { $0.append(job) }
  }
  @discardableResult
  static func runNext() -> Bool {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return resumeNext() }
    run(job, on: unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
    return true
  }

  /// Suspends the caller until no other job waits here. `Task.yield` would take a thread of the process.
  static func yield() async {
    await withCheckedContinuation { continuation in yielding.withLock { $0.append(continuation) } }
  }
  private static func resumeNext() -> Bool {
    let next = yielding.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    next?.resume()
    return next != nil
  }
}

@_silgen_name("swift_job_run")
private func run(_ job: UnownedJob, on executor: UnownedSerialExecutor)

/// An actor whose jobs wait until they are run.
actor VirtualActor {
  nonisolated let executor = VirtualExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run(_ body: @Sendable (isolated VirtualActor) -> Void) { body(self) }
}

/// The global actor on which handlers are formed.
@globalActor
enum HandlerActor {
  static let shared = VirtualActor()
}

/// Another thread, for which the program waits. One serves all cells.
enum Elsewhere {
  private static let job = Mutex<(@Sendable () -> Void)?>(nil)
  private static let (begins, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private static let thread: Void = {
    Thread.detachNewThread {
      while true {
        begins.wait()
        job.withLock { $0.take() }?()
        ends.signal()
      }
    }
  }()

  static func run(_ body: @escaping @Sendable () -> Void) {
    thread
    job.withLock { $0 = body }
    begins.signal()
    ends.wait()
  }
}
