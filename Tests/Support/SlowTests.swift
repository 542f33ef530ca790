import Dispatch
package import Testing

/// Runs tests that take long or block threads one after the other, on a thread of their own. The pool has one thread for each core,
/// and the other tests need them.
package struct SlowTests: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(SlowThread.only) { try await function() }
  }
}

extension Trait where Self == SlowTests {
  package static var slow: Self { SlowTests() }
}

private final class SlowThread: TaskExecutor {
  static let only = SlowThread()
  private let queue = DispatchQueue(label: "tidings.tests.slow")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
