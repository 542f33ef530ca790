import Synchronization

extension HandlerList {
  /// The usual case of `remove`, with the same steps in the same order: a handler of a serial event that has its place and no queue,
  /// whose subscription is neither paused nor kept by the list. bench: subscribe + cancel, −14 % time
  ///
  /// - Returns: False in any other case; then nothing has been done.
  @inline(__always)
  final func removePlain(_ registration: borrowing Registration) -> Bool {
    guard takesFastPaths, policy == .serial else { return false }
    let (isRemoved, slot) = state.withLock { state -> (Bool, Unmanaged<Slot>?) in
      let entry = registration.state.load(ordering: .relaxed)
      let place = Int(registration.place.load(ordering: .relaxed))
      guard entry != 0, entry & Table.tags == 0, !registration.isFlagged, place >= 0, let table = current,
        table.count <= 16 || (liveCount - 1) * 2 >= table.count
      else { return (false, nil) }
      let slot = Self.slot(of: entry)
      slot._withUnsafeGuaranteedRef { $0.link.store(0, ordering: .relaxed) }
      registration.state.store(0, ordering: .releasing)
      live.store(live.load(ordering: .relaxed) - 1, ordering: .relaxed)
      let isLast = place == table.count - 1
      table[place] = Table.blank
      if isLast { table.count = place }
      // The look of `isUnseen` that finds no delivery, which is a read-modify-write as well.
      let isIdle = word.compareExchange(expected: 0, desired: 0, ordering: .acquiringAndReleasing).exchanged
      if isIdle || isUnseen(flagging: StateWord.more | StateWord.checkpoint) { return (true, slot) }
      if isLast { table.count = place + 1 }
      state.retired.add(slot: slot)
      return (true, nil)
    }
    if let slot { Destruction.release(slot) }
    if isRemoved, hasNoHandlers { emptied() }
    return isRemoved
  }
}
