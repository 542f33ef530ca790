import Synchronization

extension HandlerList {
  /// Delivers in few steps if there is one handler, without an actor, and values need no destruction. Else it does nothing and
  /// returns false. The code knows no type and is inlined where notification batches are delivered. With `deliverInbox` alone a
  /// node of a batch took 9 % more instructions. bench: wide 1-1000, −15 % instructions
  @inline(__always)
  final func deliverOne(_ claim: Claim, _ here: (any Actor)?) -> Bool {
    guard takesFastPaths, claim.count == 1, isInboxPlain, word.load(ordering: .relaxed) & StateWord.checkpoint == 0,
      case let entry = Table(bits: claim.table).unsafelyUnwrapped[0], entry & (Table.routed | Table.paused) == 0
    else { return false }
    CausalFrame.push(self) { callWithInbox(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped) }
    if !stopDelivering() { deliverRest(here) }
    return true
  }
}
