import Synchronization

// What the values ask of the delivery to their handlers, whose turn the graph decides.
extension Delivery {
  /// Queues the value if another call is delivering; else gives the delivery to the caller. When `postponing`, the value is
  /// queued in any case, and the outermost notification of this thread delivers it.
  final func claim(orQueue value: @autoclosure () -> Payload, depth: Int, postponing: Bool) -> Claim? {
    let own = postponing || Frame.contains(self)
    return state.withLock { state in
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0, !postponing {
          if let claim = claim() { return claim }
          continue
        }
        let busy = seen | Word.delivering | Word.more
        if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
          state.queue.push(value(), nil, depth: depth, own: own)
          if seen == 0 { Context.postpone(self) }
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
