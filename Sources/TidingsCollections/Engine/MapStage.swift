final class MapStage<Input: Sendable, Output: Sendable>: Stage {
  private(set) var output: ArrayState<Output>
  private let transform: @Sendable (Input) -> Output

  init(_ input: PersistentArray<Input>, _ transform: @escaping @Sendable (Input) -> Output) {
    self.transform = transform
    output = ArrayState(input.map(transform))
  }

  override func follow(_ batch: EditBatch) -> Bool {
    var editor = output.editor
    let isFollowed = unsafeDowncast(batch, to: ArrayEditBatch<Input>.self).allSatisfy { edit, elements in
      switch edit.kind {
      case .insert: editor.insertInPlace(transform(elements.pointee), at: edit.offset)
      case .remove: _ = editor.removeInPlace(at: edit.offset)
      case .replace: editor.replace(edit.offset, with: transform(elements[1]))
      case .move: editor.moveInPlace(from: edit.offset, to: edit.target)
      }
      return true
    }
    if let next = output.next(editor) { output = next }
    return isFollowed
  }

  override func become(_ other: Stage) -> Bool {
    let new = unsafeDowncast(other, to: MapStage.self).output.tree.array
    var (editor, left) = (output.editor, Self.mostEdits(new.count / 2))
    for (offset, old) in output.tree.array.enumerated() where !areEqual(old, new[offset]) {
      if left == 0 { return false }
      left -= 1
      editor.replace(offset, with: new[offset])
    }
    if let next = output.next(editor) { output = next }
    return true
  }
}
