import Synchronization

// Emits that overlap: nested, and simultaneous ones on several threads.
extension Delivery {
  @inline(never)
  final func overlap(_ value: Payload, _ context: DeliveryContext) {
    countOverlapping()
    if CausalFrame.isNested, CausalFrame.contains(self) || isStackUsed {
      if Diagnostics.rejectsNesting(of: self) { return context.leave() }
      // The outer emit destroys what was removed: destroyed here, a cycle of destroyed captures would take the stack. A handler
      // that was called through its own queue has no outer emit.
      if CausalFrame.destroys(for: self) {
        let epoch = enter()
        CausalFrame.push(self) { walkOverlapping(value, context) }
        return leave(epoch)
      }
    }
    let epoch = enter()
    CausalFrame.push(self, as: .destroys) { walkOverlapping(value, context) }
    if leaveLast(epoch) { reclaim() }
  }
  /// Overlapping emits cannot run a checkpoint for each other; each asks the slot, which an older table may still name.
  private final func walkOverlapping(_ value: Payload, _ context: DeliveryContext) {
    guard let table = Table(bits: table.load(ordering: .acquiring)) else { return context.leave() }
    table.markWalked()
    for index in 0..<table.count {
      let entry = table[index]
      if entry == Table.blank { continue }
      let link = Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) }
      if link & Slot.paused == 0 { call(entry, value, context) }
    }
    context.leave()
  }
}
