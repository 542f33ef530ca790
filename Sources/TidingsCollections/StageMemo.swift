import Tidings

/// The memoized output of a stage, from which the next computation continues.
///
/// A computation takes the memo out while it runs, so nothing is copied and no user code runs under the lock. A computation
/// that finds no memo, or one from which its input did not come, begins again.
final class StageMemo<Stage: Sendable>: Sendable {
  private let kept = Lock<(input: StateID, stage: Stage)?>(nil)

  /// - Parameters:
  ///   - log: The edits of the input.
  ///   - resume: Applies the edits; false if it cannot.
  ///   - restart: Makes the stage from the whole input.
  func next<Edit: Sendable>(
    _ log: EditLog<Edit>, resume: (inout Stage, [Edit]) -> Bool, restart: () -> Stage
  ) -> Stage {
    let known = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    var stage: Stage
    if let known, let edits = log.edits(since: known.input) {
      stage = known.stage
      if !resume(&stage, edits) { stage = restart() }
    } else {
      stage = restart()
      // A reader of an older moment puts the newer memo back for the next computation.
      if let known, known.input > log.id {
        keep(known.stage, of: known.input)
        return stage
      }
    }
    keep(stage, of: log.id)
    return stage
  }
  private func keep(_ stage: Stage, of input: StateID) {
    let dropped = kept.withLock { kept -> (input: StateID, stage: Stage)? in
      if let other = kept, other.input > input { return (input, stage) }
      defer { kept = (input, stage) }
      return kept
    }
    withExtendedLifetime(dropped) {}
  }
}
