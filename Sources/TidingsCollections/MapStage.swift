struct MapStage<Output: Sendable>: ArrayStage {
  private(set) var output: ArrayState<Output>

  init<Input>(_ input: [Input], _ transform: (Input) -> Output) { output = ArrayState(input.map(transform)) }

  mutating func follow<Input>(_ edits: [ArrayEdit<Input>], _ transform: (Input) -> Output) -> Bool {
    output.edit { output in
      for edit in edits {
        switch edit {
        case .insert(let element, let offset): output.insert(transform(element), at: offset)
        case .remove(_, let offset): output.remove(at: offset)
        case .replace(_, let new, let offset): output[offset] = transform(new)
        case .move(_, let from, let to): output.move(from: from, to: to)
        }
      }
    }
    return true
  }
}
