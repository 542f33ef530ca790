import Synchronization

// Queries of the values about the list of their handlers.
extension HandlerList {
  /// The rejection of a change of this depth that would have to wait; nil if the change is accepted.
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
        // Flag the list, so that the deliverer comes back and resets the cycle guard when nothing is left.
        if word.compareExchange(expected: seen, desired: seen | StateWord.more, ordering: .relaxed).exchanged { break }
      }
      return .rejected(isReported: verdict != .rejected)
    }
  }
}
