import TidingsTesting

/// An object to which handlers are bound.
final class Owner: Sendable {}

struct Oops: Error, Equatable {
  var value = 0
}

/// An actor that listens.
actor Listener {
  private(set) var heard: [Int] = []

  func note(_ value: Int) { heard.append(value) }

  func run<Result: Sendable>(_ body: @Sendable (isolated Listener) -> Result) -> Result { body(self) }
}

/// An actor on a thread of its own, which a test may hold up.
actor Desk {
  private let worker = Worker()
  private(set) var heard: [Int] = []

  deinit { worker.end() }

  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  /// Whether the caller runs on this actor's thread.
  nonisolated var isHere: Bool { worker.isHere }

  func note(_ value: Int) { heard.append(value) }

  func run<Result: Sendable>(_ body: @Sendable (isolated Desk) -> Result) -> Result { body(self) }

  /// Keeps the actor busy until the gate opens; returns when it is.
  nonisolated func occupy(until proceed: Gate) async {
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
