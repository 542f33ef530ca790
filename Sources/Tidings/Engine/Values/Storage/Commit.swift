/// The work that a commit leaves for after the lock is released.
@usableFromInline
struct Commit {
  /// Not an enumeration: that would be `Hashable` and visible to clients, and add 2 KB to each.
  @usableFromInline struct Outcome {
    @usableFromInline let code: UInt8
    static var done: Outcome { Outcome(code: 0) }
    static var moved: Outcome { Outcome(code: 1) }
    static func rejected(isReported: Bool) -> Outcome { Outcome(code: isReported ? 3 : 2) }
    /// Rejected, and not reported yet.
    var isToBeReported: Bool { code == 2 }
  }
  // With this order of the fields a commit fits the four registers of a result.

  /// Holds the old value, which handlers are notified of and which is then destroyed.
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
