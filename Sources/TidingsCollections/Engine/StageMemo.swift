import Synchronization

/// The state of an operator: its output for the input so far, and what it needs to follow the input.
///
/// It is changed by one computation at a time: see ``StageMemo``.
class Stage {
  /// The state of the input that it has followed.
  fileprivate final var input: StateID = 0

  /// Applies edits of the input; false if it cannot, which leaves a stage that is of no use.
  func follow(_ batch: EditBatch) -> Bool { fatalError("overridden") }
}

/// The memoized stage of an operator, from which the next computation continues.
///
/// A computation takes the stage out while it runs, so nothing is copied and nothing waits. A computation that finds no stage,
/// or one whose input did not lead to its own, begins again.
final class StageMemo: @unchecked Sendable {  // a stage belongs to the thread that has taken it out
  /// A reference to a stage, with its retain.
  private let kept = Atomic<UnsafeRawPointer?>(nil)
  deinit { _ = exchange(nil) }

  /// - Parameters:
  ///   - log: The edits of the input.
  ///   - restart: Makes the stage from the whole input.
  ///   - output: Takes the output of the stage, before another computation can change it.
  func next<Output>(_ log: borrowing EditLog, restart: () -> Stage, output: (Stage) -> Output) -> Output {
    let memo = exchange(nil)
    if let memo, let batches = log.batches(since: memo.input), batches.allSatisfy(memo.follow) {
      memo.input = log.id
      let result = output(memo)
      keep(memo)
      return result
    }
    let stage = restart()
    stage.input = log.id
    let result = output(stage)
    // A reader of an older moment puts the newer memo back for the next computation.
    if let memo, memo.input > log.id { keep(memo) } else { keep(stage) }
    return result
  }

  private func exchange(_ stage: Stage?) -> Stage? {
    let new = stage.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
    let old = kept.exchange(new, ordering: .acquiringAndReleasing)
    return old.map { Unmanaged<Stage>.fromOpaque($0).takeRetainedValue() }
  }
  /// Keeps a stage, unless a newer one is kept.
  private func keep(_ stage: Stage) {
    // Another computation may take it out, and change it, as soon as it is kept: what it is compared by is read before.
    var (stage, input) = (stage, stage.input)
    while let other = exchange(stage), other.input > input { (stage, input) = (other, other.input) }
  }
}
