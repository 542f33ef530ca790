import Synchronization

// What the values ask of the list of their handlers.
extension HandlerList {
  /// The whole of it in few steps where there is one handler, without an actor, and values need no destruction; else false, and
  /// nothing has been done. In code that knows no type and is inlined where notification batches are delivered: with
  /// `deliverInbox` alone a node of a batch took 60 instructions of 660 more.
  @inline(__always)
  final func deliverOne(_ claim: Claim, _ here: (any Actor)?) -> Bool {
    guard takesFastPaths, claim.count == 1, isInboxPlain, word.load(ordering: .relaxed) & StateWord.checkpoint == 0,
      case let entry = Table(bits: claim.table).unsafelyUnwrapped[0], entry & (Table.routed | Table.paused) == 0
    else { return false }
    CausalFrame.push(self) { callWithInbox(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped) }
    if !stopDelivering() { deliverRest(here) }
    return true
  }

  /// Whether a change of this depth would have to wait and is to be rejected instead.
  final func rejection(_ depth: Int) -> Commit.Outcome? {
    if word.load(ordering: .relaxed) == 0 { return nil }
    let chain = CausalFrame.currentChain
    return state.withLock { state in
      if state.serial.queue.isEmpty, word.load(ordering: .relaxed) == 0 { return nil }
      let verdict = state.serial.cycles.judge(depth, of: chain, limit: identity.queuedLimit, in: state.serial.queue)
      if verdict == .admitted { return nil }
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0 { break }
        // The deliverer is to come by, and to forget it when nothing is left.
        if word.compareExchange(expected: seen, desired: seen | StateWord.more, ordering: .relaxed).exchanged { break }
      }
      return .rejected(isReported: verdict != .rejected)
    }
  }
}
