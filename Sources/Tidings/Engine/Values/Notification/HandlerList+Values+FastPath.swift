import Synchronization

extension HandlerList {
  /// The whole of it in few steps where there is one handler, without an actor, and values need no destruction; else false, and
  /// nothing has been done. In code that knows no type and is inlined where notification batches are delivered: with
  /// `deliverInbox` alone a node of a batch took 60 instructions of 660 more. bench: wide 1-1000, −15 % instructions
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
