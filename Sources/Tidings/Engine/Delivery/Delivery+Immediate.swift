import Synchronization

// Emits that overlap: nested, and from several threads at once.
extension Delivery {
  @inline(never)
  final func overlap(_ value: Payload, _ passage: Passage) {
    let nested = Frame.count
    if nested != 0, Frame.contains(self) {
      let depth = Frame.currentDepth
      if nested >= nestedLimit || Frame.steps(depth) >= max(nestedLimit, queuedLimit) {
        refuse(depth: max(nested, depth) + 1)
        return passage.leave()
      }
      // What was taken out is destroyed by the outer emit: destroyed here, a cycle of destroyed captures would take the stack. A
      // handler that was called through its own queue has no outer emit.
      if Frame.destroys(for: self) {
        let epoch = enter()
        Frame.push(self) { walkOverlapping(value, passage) }
        return leave(epoch)
      }
    }
    let epoch = enter()
    Frame.push(self, destroys: true) { walkOverlapping(value, passage) }
    if leaveLast(epoch) { reclaim() }
  }
  /// Overlapping emits cannot attend for each other; each asks the slot, which an older table may still name.
  private final func walkOverlapping(_ value: Payload, _ passage: Passage) {
    guard let table = Table(bits: table.load(ordering: .acquiring)) else { return passage.leave() }
    table.markWalked()
    for index in 0..<table.count {
      let entry = table[index]
      if entry == Table.blank { continue }
      let link = Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) }
      if link != 0, link & Slot.paused == 0 { call(entry, value, passage) }
    }
    passage.leave()
  }
}
