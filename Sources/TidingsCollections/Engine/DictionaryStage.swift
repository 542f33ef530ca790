/// The state of `mapValues` and of `filter`.
final class DictionaryStage<Key: Hashable & Sendable, Input: Sendable, Output: Sendable>: Stage {
  private(set) var output: DictionaryState<Key, Output>
  private let transform: @Sendable (Key, Input) -> Output?
  /// The elements are those of the input, so only a key can be too many or missing.
  private let isFilter: Bool

  init(
    _ input: DictionaryState<Key, Input>, isFilter: Bool, _ transform: @escaping @Sendable (Key, Input) -> Output?
  ) {
    self.transform = transform
    self.isFilter = isFilter
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

  override func become(_ other: Stage) -> Bool {
    let other = unsafeDowncast(other, to: DictionaryStage.self).output
    var (editor, left) = (output.editor, Self.mostEdits(other.count / 2))
    func set(_ element: Output?, for key: Key) {
      left -= 1
      editor[key] = element
    }
    for (key, old) in output.snapshot {
      let new = other.tree[key]
      if left >= 0, new.map({ !isFilter && !areEqual(old, $0) }) ?? true { set(new, for: key) }
    }
    for (key, new) in other.snapshot where left >= 0 && output.tree[key] == nil { set(new, for: key) }
    if left < 0 { return false }
    if let next = output.next(editor) { output = next }
    return true
  }
}
