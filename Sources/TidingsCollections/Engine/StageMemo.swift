import Synchronization
import Tidings

/// The state of an operator: its output for the input so far, and what it needs to follow the input.
///
/// It is changed by one computation at a time: see ``StageMemo``.
class Stage {
  /// The state of the input that it has followed.
  fileprivate final var input: StateID = 0

  /// Whether the closure has read values when it was called last. Then it may give something else for any element.
  fileprivate final var readsValues = false

  /// Applies edits of the input; false if it cannot, which leaves a stage that is of no use.
  func follow(_ batch: EditBatch) -> Bool { fatalError("overridden") }
  /// Edits the output until it is that of another stage, made of the same input; false if that takes too many edits, which leaves a stage
  /// that is of no use.
  func become(_ other: Stage) -> Bool { fatalError("overridden") }

  /// This number of edits is made in any case.
  static var fewEdits: Int { 64 }
  /// The number of edits beyond which a result of `count` elements is rather replaced as a whole.
  static func mostEdits(_ count: Int) -> Int { max(fewEdits, count) }
}

/// The memoized stage of an operator, from which the next computation continues.
///
/// A computation takes the stage out while it runs, so nothing is copied and nothing waits. A computation that finds no stage,
/// or one whose input did not lead to its own, begins again.
///
/// Values that the closure reads are inputs of the computation, which cannot know which of its inputs has changed. So if the closure has
/// read any, it is called for all elements, and the stage is edited until it is what that gives.
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
    var made: Stage?
    func makeStage() -> Stage {
      let (stage, hasRead) = notingReads(restart)
      stage.readsValues = hasRead
      made = stage
      return stage
    }
    if let memo, let batches = log.batches(since: memo.input) {
      let (isFollowed, hasRead) = notingReads { batches.allSatisfy(memo.follow) }
      var isRight = isFollowed
      if isFollowed, hasRead || memo.readsValues {
        let stage = makeStage()
        isRight = memo.become(stage)
        memo.readsValues = stage.readsValues
      }
      if isRight {
        memo.input = log.id
        let result = output(memo)
        keep(memo)
        return result
      }
    }
    let stage = made ?? makeStage()
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
