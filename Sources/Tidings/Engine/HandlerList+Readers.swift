import Synchronization

// Reading the table while others do: emits that overlap, and whoever puts a question. For lists that are `.immediate`.
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

  @inline(__always)
  final func leave(_ epoch: UInt) {
    let left = word.subtract(Word.reader(epoch), ordering: .acquiringAndReleasing).newValue
    if left & Word.resting != 0, Word.readers(left, epoch) == 0 { reclaim() }
  }

  @inline(never)
  private final func reclaim() {
    let (trash, closing) = state.withLock { state in
      var trash = Trash()
      turnEpoch(&state, &trash)
      return (trash, state.closing && !Word.hasReaders(word.load(ordering: .acquiring)))
    }
    trash.dispose()
    if closing { clear(closingQueues: false) }
  }

  /// Under the lock: collects what no overlapping emit can hold any more.
  final func turnEpoch(_ state: inout State, _ free: inout Trash) {
    guard policy == .immediate else { return }
    word.bitwiseOr(Word.resting, ordering: .acquiringAndReleasing)  // before the look: who leaves after it looks too
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
