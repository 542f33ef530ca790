import Tidings

/// What a stage made of its input last, for the next computation to go on from.
///
/// It is taken out for that, so nothing is copied and no user code runs under the lock. A computation that finds it missing, or
/// finds one from which its input did not come, begins anew.
final class StageMemo<Stage: Sendable>: Sendable {
  private let kept = Lock<(input: StateID, stage: Stage)?>(nil)

  /// - Parameters:
  ///   - log: The input's.
  ///   - size: How many elements the input has.
  ///   - resume: Follows the edits; nil if it cannot.
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
      // A reader of an older moment leaves the newer one to whoever comes next.
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
