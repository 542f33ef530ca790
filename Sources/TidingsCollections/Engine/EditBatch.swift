/// The edits of one change, and the state before it.
///
/// The logs of states, which pass batches on, do not know the type of the edits. Finding a type at run time takes longer than
/// the rest of an edit.
class EditBatch: @unchecked Sendable {  // changed only by the recording that alone has it; its edits are `Sendable`
  final fileprivate(set) var before: StateID
  fileprivate init(before: StateID) { self.before = before }
  fileprivate func copy() -> EditBatch { fatalError("overridden") }
}

/// A batch of edits of one type. Most have one edit, which needs no array.
private final class TypedBatch<Edit: Sendable>: EditBatch, @unchecked Sendable {  // as `EditBatch`
  let first: Edit
  var rest: [Edit]?
  init(_ first: Edit, _ rest: [Edit]?, before: StateID) {
    (self.first, self.rest) = (first, rest)
    super.init(before: before)
  }
  override func copy() -> EditBatch { TypedBatch(first, rest, before: before) }
  func append(_ edit: Edit) {
    if rest == nil { rest = [edit] } else { rest!.append(edit) }
  }
}

extension EditBatch {
  /// Calls the closure with each edit, until it returns false.
  ///
  /// - Returns: Whether it never returned false.
  final func allSatisfy<Edit: Sendable>(_: Edit.Type, _ body: (borrowing Edit) -> Bool) -> Bool {
    let batch = unsafeDowncast(self, to: TypedBatch<Edit>.self)
    if !body(batch.first) { return false }
    if let rest = batch.rest { for edit in rest where !body(edit) { return false } }
    return true
  }
  /// The edits, which are of that type.
  final func edits<Edit: Sendable>(_: Edit.Type) -> [Edit] {
    let batch = unsafeDowncast(self, to: TypedBatch<Edit>.self)
    return [batch.first] + (batch.rest ?? [])
  }
}

/// The edits that an editor has recorded, and the state from which they lead to its elements.
///
/// A copy of an editor takes both along, so they always belong to its elements, whichever editor is assigned to which.
struct Recording: Sendable {
  /// Nil for an editor of no state, which records nothing.
  let origin: StateID?
  /// Nil before the first edit.
  private(set) var batch: EditBatch?

  init(since origin: StateID? = nil) { self.origin = origin }

  /// Adds an edit; all are of one type.
  mutating func append<Edit: Sendable>(_ edit: Edit) {
    guard let origin else { return }
    if batch == nil {
      batch = TypedBatch(edit, nil, before: origin)
    } else {
      if !isKnownUniquelyReferenced(&batch) { batch = batch?.copy() }
      unsafeDowncast(batch.unsafelyUnwrapped, to: TypedBatch<Edit>.self).append(edit)
    }
  }
}
