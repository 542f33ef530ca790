/// The state of a list that delivers one value after the other: values, handlers and callers, each waiting for its turn.
struct SerialState: ~Copyable {
  var queue: RawRingBuffer
  var cycles = CycleGuard()
  /// Handlers that were added or resumed while values were queued.
  var activations = PendingActivations()
  /// Each waits until the given number of queued values has been delivered.
  var drains: [(turn: Int, counter: CompletionCounter)] = []

  init(_ queue: RawRingBuffer) { self.queue = queue }

  var hasMore: Bool { !queue.isEmpty || !activations.isEmpty || !drains.isEmpty }
  /// Takes out the counters of callers whose values have been delivered. They were appended in the order of their turns.
  mutating func takeDrained(into retired: inout RetiredObjects) {
    if drains.isEmpty { return }
    var due = 0
    while due < drains.count, drains[due].turn <= queue.popped {
      retired.add(counter: drains[due].counter)
      due += 1
    }
    if due > 0 { drains.removeFirstUnspecialized(due) }
  }
  /// No value is queued, and no queued one is being delivered.
  mutating func becameIdle() { cycles.reset() }
}
