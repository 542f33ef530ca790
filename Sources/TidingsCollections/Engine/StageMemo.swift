import Tidings

/// The state of an operator: its output for the input so far, and what it needs to follow the input.
///
/// It is changed by one computation at a time: see ``StageMemo``.
class Stage<Edit: Sendable, Output: CollectionState> {
  private(set) final var output: Output
  init(_ output: Output) { self.output = output }

  /// Applies edits of the input; false if it cannot, which leaves a stage that is of no use.
  func follow(_ edits: [Edit]) -> Bool { fatalError("overridden") }

  final func finish(_ editor: Output.Editor) {
    if let next = output.next(editor) { output = next }
  }
}

/// The memoized stage of an operator, from which the next computation continues.
///
/// A computation takes the memo out while it runs, so nothing is copied and no user code runs under the lock. A computation
/// that finds no memo, or one from which its input did not come, begins again.
final class StageMemo<Input: CollectionState, Output: CollectionState>: Sendable {
  /// Without the type of the stage: to find it at run time takes longer than to follow an edit.
  private let kept = Lock<Memo?>(nil)

  func next(_ input: Input, restart: () -> Stage<Input.Edit, Output>) -> Output {
    let (memo, id) = (kept.withLock { $0.take() }, input.log.id)
    if let memo, let edits = input.log.edits(since: memo.input) {
      let stage = unsafeDowncast(memo.stage, to: Stage<Input.Edit, Output>.self)
      if stage.follow(edits) {
        let output = stage.output
        keep(Memo(input: id, stage: stage))
        return output
      }
    }
    let stage = restart()
    let output = stage.output
    // A reader of an older moment puts the newer memo back for the next computation.
    if let memo, memo.input > id { keep(memo) } else { keep(Memo(input: id, stage: stage)) }
    return output
  }
  /// Keeps a memo, unless a newer one is kept.
  private func keep(_ memo: Memo) {
    let dropped = kept.withLock { kept -> Memo? in
      if let other = kept, other.input > memo.input { return memo }
      defer { kept = memo }
      return kept
    }
    withExtendedLifetime(dropped) {}
  }
}

private struct Memo {
  let input: StateID
  let stage: AnyObject
}
