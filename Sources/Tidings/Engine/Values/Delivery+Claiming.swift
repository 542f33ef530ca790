import Synchronization

// What the values ask of the delivery to their handlers, whose turn the graph decides.
extension Delivery {
  /// Queues the value if another call is delivering; else gives the delivery to the caller. When `postponing`, the value is
  /// queued in any case, and the outermost notification of this thread delivers it.
  final func claim(orQueue value: @autoclosure () -> Payload, depth: Int, postponing: Bool) -> Claim? {
    let own = postponing || CausalFrame.contains(self)
    let chain = depth > 1 ? CausalFrame.currentChain : 0
    let locals = own ? nil : CarriedLocals.captured
    return state.withLock { state in
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0, !postponing {
          if let claim = claim() { return claim }
          continue
        }
        // Where no thread delivers, the one that postpones does later, or a task that is on its way.
        let busy = seen | StateWord.more | (seen == 0 ? StateWord.delivering : 0)
        if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
          state.cycles.added(depth)
          state.queue.push(value(), nil, locals, depth: depth, chain: chain, own: own)
          if seen == 0 { Context.postpone(self) }
          return nil
        }
      }
    }
  }

  /// Calls one handler, which is not added yet.
  final func notify(_ slot: Slot, _ value: Payload, _ context: DeliveryContext) {
    let entry = UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()) | slot.tag
    CausalFrame.push(self) { call(entry, value, context) }
  }
}
