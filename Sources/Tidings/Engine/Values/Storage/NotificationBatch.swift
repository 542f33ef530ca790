/// The nodes that one round of notifying is about: all made right at one snapshot, then notified.
struct NotificationBatch {
  /// Where its nodes are in the thread's notifications, from the one that is being resolved on.
  let first: Int
  var index: Int
  private(set) var end: Int
  let firstClaim: Int
  let depth: Int
  /// What may be destroyed when the pin is given up.
  var retired: RetiredPointer?

  /// The rest is for another batch.
  mutating func end(before index: Int) { end = index }

  struct Claimed: BitwiseCopyable {
    let list: UnsafeRawPointer
    let claim: Claim
  }
}
