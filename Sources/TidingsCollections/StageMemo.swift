import Tidings

/// The memoized output of a stage, from which the next computation continues.
///
/// A computation takes the memo out while it runs, so nothing is copied and no user code runs under the lock. A computation
/// that finds no memo, or one from which its input did not come, begins again.
final class StageMemo<Stage: Sendable>: Sendable {
  private struct Memo: Sendable {
    var input: StateID
    var stage: Stage
  }
  private let kept = Lock<Memo?>(nil)

  /// - Parameters:
  ///   - log: The edits of the input.
  ///   - resume: Applies the edits; false if it cannot.
  ///   - restart: Makes the stage from the whole input.
  func next<Edit: Sendable>(
    _ log: EditLog<Edit>, resume: (inout Stage, [Edit]) -> Bool, restart: () -> Stage
  ) -> Stage {
    var memo = kept.withLock { $0.take() }
    // In place: a second reference to the stage would copy all its storage.
    if memo != nil, let edits = log.edits(since: memo!.input), resume(&memo!.stage, edits) {
      memo!.input = log.id
      return keep(memo!).stage
    }
    let new = Memo(input: log.id, stage: restart())
    // A reader of an older moment puts the newer memo back for the next computation.
    if let memo, memo.input > log.id { _ = keep(memo) } else { _ = keep(new) }
    return new.stage
  }
  /// Keeps a memo, unless a newer one is kept.
  private func keep(_ memo: Memo) -> Memo {
    let dropped = kept.withLock { kept -> Memo? in
      if let other = kept, other.input > memo.input { return memo }
      defer { kept = memo }
      return kept
    }
    withExtendedLifetime(dropped) {}
    return memo
  }
}
