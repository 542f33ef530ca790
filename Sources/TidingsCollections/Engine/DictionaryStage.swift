/// The state of `mapValues` and of `filter`.
final class DictionaryStage<Key: Hashable & Sendable, Input: Sendable, Output: Sendable>: Stage {
  private(set) var output: DictionaryState<Key, Output>
  private let transform: @Sendable (Key, Input) -> Output?

  init(_ input: DictionaryState<Key, Input>, _ transform: @escaping @Sendable (Key, Input) -> Output?) {
    self.transform = transform
    var output = PersistentDictionary<Key, Output>()
    for (key, element) in input.snapshot {
      if let result = transform(key, element) { output.set(result, for: key) }
    }
    self.output = DictionaryState(output)
  }

  override func follow(_ batch: EditBatch) -> Bool {
    var editor = output.editor
    for edit in unsafeDowncast(batch, to: DictionaryEditBatch<Key, Input>.self).edits {
      editor[edit.key] = edit.new.flatMap { transform(edit.key, $0) }
    }
    if let next = output.next(editor) { output = next }
    return true
  }
}
