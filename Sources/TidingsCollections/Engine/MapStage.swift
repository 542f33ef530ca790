final class MapStage<Input: Sendable, Output: Sendable>: Stage {
  private(set) var output: ArrayState<Output>
  private let transform: @Sendable (Input) -> Output

  init(_ input: PersistentArray<Input>, _ transform: @escaping @Sendable (Input) -> Output) {
    self.transform = transform
    output = ArrayState(input.map(transform))
  }

  override func follow(_ batch: EditBatch) -> Bool {
    var editor = output.editor
    let isFollowed = batch.allSatisfy(ArrayEdit<Input>.self) { edit in
      switch edit {
      case .insert(let element, let offset): editor.insert(transform(element), at: offset)
      case .remove(_, let offset): editor.remove(at: offset)
      case .replace(_, let new, let offset): editor[offset] = transform(new)
      case .move(_, let from, let to): editor.move(from: from, to: to)
      }
      return true
    }
    if let next = output.next(editor) { output = next }
    return isFollowed
  }
}
