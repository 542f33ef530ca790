/// Threads of the platform. Tasks would not do: a check may hold a thread up, and tasks share few.
package enum Threads {
  /// Starts a thread that is waited for only through a gate.
  package static func start(_ body: @escaping @Sendable () -> Void) { Platform.startThread(body) }

  /// Runs `body` on a thread of its own and waits for it. False when it did not end in time.
  @discardableResult
  package static func elsewhere(seconds: Int = 900, _ body: @escaping @Sendable () -> Void) -> Bool {
    started(seconds, body).wait()
  }

  /// The stack that Darwin gives a thread other than the main one, in bytes.
  package static let smallStack = 512 << 10

  /// Runs `body` on a thread of its own and suspends until it has ended.
  ///
  /// - Parameter stackSize: in bytes; that of the platform unless given.
  @discardableResult
  package static func elsewhere(
    seconds: Int = 900, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) async -> Bool {
    await started(seconds, stackSize: stackSize, body).wait()
  }

  /// Runs `body` on a thread of its own while the caller holds up its own, so that the caller's actor stays busy.
  package static func meanwhile(_ body: @escaping @Sendable () -> Void) { elsewhere(body) }

  /// Runs `body` on `count` threads that start together, and waits for all. False when one did not end in time.
  @discardableResult
  package static func together(
    _ count: Int, seconds: Int = 900, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) -> Bool {
    started(count, seconds, body).reduce(true) { $1.wait() && $0 }
  }

  /// Runs `body` on `count` threads that start together, and suspends until all have ended.
  @discardableResult
  package static func together(
    _ count: Int, seconds: Int = 900, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) async -> Bool {
    var allEnded = true
    for gate in started(count, seconds, body) where await !gate.wait() { allEnded = false }
    return allEnded
  }

  /// Starts a thread, and returns a gate that opens when it ends.
  private static func started(
    _ seconds: Int, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) -> Gate {
    let ended = Gate(seconds: seconds)
    let work = Locked<(@Sendable () -> Void)?>(body)
    Platform.startThread(stackSize: stackSize) {
      // Taken out: what it captured has been released when the caller continues.
      work.withLock { $0.take() }?()
      ended.open()
    }
    return ended
  }

  /// Starts `count` threads together, and returns a gate for each, which opens when that thread ends.
  private static func started(
    _ count: Int, _ seconds: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) -> [Gate] {
    let start = Gate()
    defer { start.open() }
    return (0..<count).map { index in
      started(seconds) {
        start.wait()
        body(index)
      }
    }
  }

  /// The identity of the current thread.
  package static var current: UInt { Platform.currentThread }

  /// The processor time of the current thread, in seconds.
  package static var processorTime: Double { Platform.processorTime }
}
