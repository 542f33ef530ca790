/// The nodes of one notification batch. All are resolved at one snapshot, then their handlers are notified.
struct NotificationBatch {
  /// The places of its nodes in the thread's queue: the first, the one that is being resolved, and the end.
  let first: Int
  var index: Int
  private(set) var end: Int
  let firstClaim: Int
  let depth: Int
  /// The objects that may be destroyed when the pin ends.
  var retired: RetiredPointer?

  /// Ends the batch before `index`. The rest is left to another batch.
  mutating func end(before index: Int) { end = index }

  struct Claimed: BitwiseCopyable {
    let list: UnsafeRawPointer
    let claim: Claim
  }
}
