/// Threads of the platform. Tasks would not do: a check may hold a thread up, and tasks share few.
package enum Threads {
  /// Starts a thread that is waited for only through a gate.
  package static func start(_ body: @escaping @Sendable () -> Void) { Platform.startThread(body) }

  /// Runs `body` on a thread of its own and waits for it. False when it did not end in time.
  @discardableResult
  package static func elsewhere(seconds: Int = 900, _ body: @escaping @Sendable () -> Void) -> Bool {
    let ended = Gate(seconds: seconds)
    start {
      body()
      ended.open()
    }
    return ended.wait()
  }

  /// Runs `body` on a thread of its own and suspends until it has ended.
  @discardableResult
  package static func elsewhere(seconds: Int = 900, _ body: @escaping @Sendable () -> Void) async -> Bool {
    let ended = Gate(seconds: seconds)
    start {
      body()
      ended.open()
    }
    return await ended.wait()
  }

  /// Runs `body` on a thread of its own while the caller holds up its own, so that the caller's actor stays busy.
  package static func meanwhile(_ body: @escaping @Sendable () -> Void) { elsewhere(body) }

  /// Runs `body` on `count` threads that start together, and waits for all. False when one did not end in time.
  @discardableResult
  package static func together(
    _ count: Int, seconds: Int = 900, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) -> Bool {
    gates(count, seconds: seconds, body).reduce(true) { $1.wait() && $0 }
  }

  /// Runs `body` on `count` threads that start together, and suspends until all have ended.
  @discardableResult
  package static func together(
    _ count: Int, seconds: Int = 900, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) async -> Bool {
    var allEnded = true
    for gate in gates(count, seconds: seconds, body) where await !gate.wait() { allEnded = false }
    return allEnded
  }

  /// Starts the threads. A gate each opens when it ends.
  private static func gates(
    _ count: Int, seconds: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) -> [Gate] {
    let started = Gate()
    let ended = (0..<count).map { _ in Gate(seconds: seconds) }
    for index in 0..<count {
      start {
        started.wait()
        body(index)
        ended[index].open()
      }
    }
    started.open()
    return ended
  }

  /// The identity of the current thread.
  package static var current: UInt { Platform.currentThread }

  /// The processor time of the current thread, in seconds.
  package static var processorTime: Double { Platform.processorTime }
}
