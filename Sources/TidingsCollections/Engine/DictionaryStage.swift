/// The state of `mapValues` and of `filter`.
final class DictionaryStage<Key: Hashable & Sendable, Input: Sendable, Output: Sendable>:
  Stage<DictionaryEdit<Key, Input>, DictionaryState<Key, Output>>
{
  private let transform: @Sendable (Key, Input) -> Output?

  init(_ input: DictionaryState<Key, Input>, _ transform: @escaping @Sendable (Key, Input) -> Output?) {
    self.transform = transform
    var output: [Key: Output] = [:]
    for (key, element) in input.elements { output[key] = transform(key, element) }
    super.init(DictionaryState(output))
  }

  override func follow(_ edits: [DictionaryEdit<Key, Input>]) -> Bool {
    var editor = output.editor
    for edit in edits { editor[edit.key] = edit.new.flatMap { transform(edit.key, $0) } }
    finish(editor)
    return true
  }
}
