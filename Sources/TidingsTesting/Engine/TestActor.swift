/// An actor on a thread of its own, which a test may hold up.
package actor TestActor {
  private let worker: Worker
  package private(set) var received: [Int] = []

  /// - Parameter stackSize: of its thread, in bytes; that of the platform unless given.
  package init(stackSize: Int? = nil) { worker = Worker(stackSize: stackSize) }

  deinit { worker.end() }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  /// Whether the caller runs on this actor's thread.
  package nonisolated var isHere: Bool { worker.isHere }

  /// How many jobs this actor was ever handed: one that is on its way to an actor held up by a test has been counted.
  package nonisolated var jobCount: Int { worker.jobCount }

  /// Waits until this actor was handed more than `count` jobs, also on its own thread, which keeps it busy meanwhile.
  package nonisolated func waitForJob(after count: Int) { worker.waitForJob(after: count) }

  package func note(_ value: Int) { received.append(value) }

  package func run<Result: Sendable>(_ body: @Sendable (isolated TestActor) -> Result) -> Result { body(self) }

  /// Keeps the actor busy until the gate opens; returns when it is.
  package nonisolated func occupy(until proceed: Gate) async {
    await withCheckedContinuation { busy in
      Task {
        await self.run { _ in
          busy.resume()
          proceed.wait()
        }
      }
    }
  }
}
