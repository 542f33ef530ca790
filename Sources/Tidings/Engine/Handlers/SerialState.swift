/// What a list has that delivers one value after the other: values, handlers and callers, each waiting for its turn.
struct SerialState: ~Copyable {
  var queue: RawRingBuffer
  var cycles = CycleGuard()
  /// Handlers that were added or resumed while values were queued.
  var activations = PendingActivations()
  /// Each waits until the given number of queued values has been delivered.
  var drains: [(turn: Int, counter: CompletionCounter)] = []

  init(_ queue: RawRingBuffer) { self.queue = queue }

  var hasMore: Bool { !queue.isEmpty || !activations.isEmpty || !drains.isEmpty }
  /// No value is queued, and no queued one is being delivered.
  mutating func becameIdle() { cycles.reset() }
}
