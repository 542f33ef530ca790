final class MapStage<Input: Sendable, Output: Sendable>: Stage<ArrayEdit<Input>, ArrayState<Output>> {
  private let transform: @Sendable (Input) -> Output

  init(_ input: PersistentArray<Input>, _ transform: @escaping @Sendable (Input) -> Output) {
    self.transform = transform
    super.init(ArrayState(input.map(transform)))
  }

  override func follow(_ edits: [ArrayEdit<Input>]) -> Bool {
    var editor = output.editor
    for edit in edits {
      switch edit {
      case .insert(let element, let offset): editor.insert(transform(element), at: offset)
      case .remove(_, let offset): editor.remove(at: offset)
      case .replace(_, let new, let offset): editor[offset] = transform(new)
      case .move(_, let from, let to): editor.move(from: from, to: to)
      }
    }
    finish(editor)
    return true
  }
}
