import Dispatch
import Synchronization

/// A listener on the main actor.
@MainActor
final class Board {
  var noted: [Price] = []
}

/// A listener on an actor of its own.
actor Ledger {
  var noted: [Price] = []
}

/// A ledger that works when its gate is open, and not before.
actor SlowLedger {
  private let gate: Gate
  private let counter = Atomic(0)
  private(set) var noted: [Price] = []

  init(waitingFor gate: Gate) { self.gate = gate }

  nonisolated var unownedExecutor: UnownedSerialExecutor { gate.asUnownedSerialExecutor() }

  func note(_ price: Price) {
    noted.append(price)
    counter.add(1, ordering: .relaxed)
  }

  /// How many prices it has received, also while the gate is closed and no caller gets an answer from the actor itself.
  nonisolated var count: Int { counter.load(ordering: .relaxed) }
}

/// The place where an actor's work waits: slowness without a clock, the same on every machine.
///
/// It is closed at first, and has to be opened before it is destroyed.
final class Gate: SerialExecutor {
  private let queue = DispatchQueue(label: "gate")

  init() { queue.suspend() }

  func open() { queue.resume() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
