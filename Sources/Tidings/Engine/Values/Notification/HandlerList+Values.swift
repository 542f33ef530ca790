import Synchronization

// What the values ask of the list of their handlers.
extension HandlerList {
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
