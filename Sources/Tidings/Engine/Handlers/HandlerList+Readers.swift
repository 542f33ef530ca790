import Synchronization

// Reading the table while others do: emits that overlap, and questions. For lists that are `.immediate`.
extension HandlerList {
  /// From now on, what is taken out rests. Gives the epoch in which the caller reads.
  @inline(__always)
  final func enter() -> UInt {
    var seen = word.load(ordering: .relaxed)
    while true {
      let entered = word.compareExchange(
        expected: seen, desired: seen + Word.reader(seen & Word.epoch),
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if entered.exchanged { return seen & Word.epoch }
      seen = entered.original
    }
  }

  /// True when something rests that no emit of the epoch can see any more: the caller is to `reclaim` it.
  @inline(__always)
  final func leaveLast(_ epoch: UInt) -> Bool {
    let left = word.subtract(Word.reader(epoch), ordering: .acquiringAndReleasing).newValue
    return left & Word.resting != 0 && Word.readers(left, epoch) == 0
  }
  /// For a reader that may not destroy anything here: the next that leaves does.
  @inline(__always)
  final func leave(_ epoch: UInt) { _ = leaveLast(epoch) }

  /// Destroys what no emit can see any more, and what that takes out, one after the other. What is destroyed may emit: that is
  /// one deeper each time, so a cycle through destroyed captures ends, and takes no stack meanwhile.
  @inline(never)
  final func reclaim() {
    let start = Frame.currentDepth
    var depth = start
    while true {
      let (trash, closing) = state.withLock { state in
        var trash = Trash()
        turnEpoch(&state, &trash)
        let closing = state.closing && !Word.hasReaders(word.load(ordering: .acquiring))
        if closing { state.closing = false }
        return (trash, closing)
      }
      if trash.isEmpty, !closing { return }
      depth += 1
      Frame.push(self, depth: depth, destroys: true) {
        trash.dispose()
        if closing { clear(closingQueues: false) }
      }
    }
  }

  /// Under the lock: collects what no overlapping emit can hold any more.
  final func turnEpoch(_ state: inout State, _ free: inout Trash) {
    guard policy == .immediate else { return }
    // Before the look: a reader that leaves after it looks too.
    word.bitwiseOr(Word.resting, ordering: .acquiringAndReleasing)
    while true {
      let now = word.load(ordering: .acquiring)
      if Word.readers(now, 1 - now & Word.epoch) == 0 { free.add(state.resting.take()) }
      guard state.resting.isEmpty, !state.trash.isEmpty else { break }
      state.resting = state.trash.take()
      word.bitwiseXor(Word.epoch, ordering: .acquiringAndReleasing)
    }
    if state.resting.isEmpty, !state.closing { word.bitwiseAnd(~Word.resting, ordering: .acquiringAndReleasing) }
  }
}
