/// What a commit leaves to be done after the lock.
@usableFromInline
struct Commit {
  /// Not an enumeration, which would be `Hashable`, seen by clients: 2 KB of each.
  @usableFromInline struct Outcome {
    @usableFromInline let code: UInt8
    static var done: Outcome { Outcome(code: 0) }
    static var moved: Outcome { Outcome(code: 1) }
    static func rejected(isReported: Bool) -> Outcome { Outcome(code: isReported ? 3 : 2) }
    /// Rejected, and not reported yet.
    var isToBeReported: Bool { code == 2 }
  }
  // In this order it fits the four registers of a result.

  /// Holds the old value: to be notified of, and destroyed.
  @usableFromInline var old: VersionPointer?
  /// The caller is to notify the handlers.
  @usableFromInline var claim: Claim?
  @usableFromInline var outcome: Outcome
  /// Something is left for `finishCommit`.
  @usableFromInline var hasMore: Bool
  @_alwaysEmitIntoClient var isDone: Bool { outcome.code == 0 }
  @_alwaysEmitIntoClient var hasMoved: Bool { outcome.code == 1 }

  @usableFromInline init() { (outcome, hasMore) = (.done, false) }
  init(_ failure: Outcome) {
    (outcome, hasMore) = (failure, false)
    hasMore = !hasMoved
  }
}
