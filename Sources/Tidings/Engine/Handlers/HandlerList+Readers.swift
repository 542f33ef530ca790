import Synchronization

// Reading the table while others do: emits that overlap, and questions. For lists that are `.immediate`.
extension HandlerList {
  /// From now on, what is taken out rests. Gives the epoch in which the caller reads.
  @inline(__always)
  final func enter() -> UInt {
    var seen = word.load(ordering: .relaxed)
    while true {
      let entered = word.compareExchange(
        expected: seen, desired: seen + StateWord.reader(seen & StateWord.epoch),
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if entered.exchanged { return seen & StateWord.epoch }
      seen = entered.original
    }
  }

  /// True when something rests that no emit of the epoch can see any more: the caller is to `reclaim` it.
  @inline(__always)
  final func leaveLast(_ epoch: UInt) -> Bool {
    let left = word.subtract(StateWord.reader(epoch), ordering: .acquiringAndReleasing).newValue
    return left & StateWord.resting != 0 && StateWord.readers(left, epoch) == 0
  }
  /// For a reader that may not destroy anything here: the next that leaves does.
  @inline(__always)
  final func leave(_ epoch: UInt) { _ = leaveLast(epoch) }

  /// Destroys what no emit can see any more, and what that takes out, one after the other. What is destroyed may emit: that is
  /// one deeper each time, so a cycle through destroyed captures ends, and takes no stack meanwhile.
  @inline(never)
  final func reclaim() {
    let start = CausalFrame.currentDepth
    var depth = start
    while true {
      let (retired, closing) = state.withLock { state in
        var retired = RetiredObjects()
        turnEpoch(&state, &retired)
        let closing = state.closing && !StateWord.hasReaders(word.load(ordering: .acquiring))
        if closing { state.closing = false }
        return (retired, closing)
      }
      if retired.isEmpty, !closing { return }
      depth += 1
      CausalFrame.push(self, depth: depth, as: .destroys) {
        retired.dispose()
        if closing { clear(closingQueues: false) }
      }
    }
  }

  /// Collects what was retired beside an emit.
  @inline(never)
  final func turnEpoch() {
    guard policy == .immediate else { return }
    let retired = state.withLock { state in
      var retired = RetiredObjects()
      turnEpoch(&state, &retired)
      return retired
    }
    retired.dispose()
  }

  /// Under the lock: collects what no overlapping emit can hold any more.
  final func turnEpoch(_ state: inout State, _ free: inout RetiredObjects) {
    guard policy == .immediate else { return }
    // Before the look: a reader that leaves after it looks too.
    word.bitwiseOr(StateWord.resting, ordering: .acquiringAndReleasing)
    while true {
      let now = word.load(ordering: .acquiring)
      if StateWord.readers(now, 1 - now & StateWord.epoch) == 0 { free.add(state.immediate.resting.take()) }
      guard state.immediate.resting.isEmpty, !state.retired.isEmpty else { break }
      state.immediate.resting = state.retired.take()
      word.bitwiseXor(StateWord.epoch, ordering: .acquiringAndReleasing)
    }
    if state.immediate.resting.isEmpty, !state.closing {
      word.bitwiseAnd(~StateWord.resting, ordering: .acquiringAndReleasing)
    }
  }
}
