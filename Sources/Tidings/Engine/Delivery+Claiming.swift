import Synchronization

// What the values ask of the delivery to their handlers, whose turn the graph decides.
extension Delivery {
  /// Queues the value if somebody delivers; else gives the delivery to the caller.
  final func claim(orQueue value: @autoclosure () -> Payload, depth: Int) -> Claim? {
    let own = Frame.contains(self)
    let chain = depth > 1 ? Frame.currentChain : 0
    let locals = own ? nil : CarriedLocals.captured
    return state.withLock { state in
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0 {
          if let claim = claim() { return claim }
          continue
        }
        // Where no thread delivers, a task that is on its way does.
        let busy = seen | Word.more
        if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
          state.cycles.added(depth)
          state.queue.push(value(), nil, locals, depth: depth, chain: chain, own: own)
          return nil
        }
      }
    }
  }

  /// Calls one handler, which is not added yet.
  final func tell(_ slot: Slot, _ value: Payload, _ passage: Passage) {
    let entry = UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()) | slot.mark
    Frame.push(self) { call(entry, value, passage) }
  }
}
