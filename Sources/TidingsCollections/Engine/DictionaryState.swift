/// A dictionary with its edits.
final class DictionaryState<Key: Hashable & Sendable, Element: Sendable>: CollectionState {
  let tree: PersistentDictionary<Key, Element>
  let log: EditLog
  private let whole = WholeMemo()

  init(_ tree: PersistentDictionary<Key, Element>, _ log: EditLog = EditLog()) { (self.tree, self.log) = (tree, log) }
  /// A state without a history: for an observer that has another state, a reset.
  convenience init(_ elements: [Key: Element]) {
    self.init(PersistentDictionary(elements))
    whole.keep(Whole(elements))
  }

  private final class Whole: Sendable {
    let elements: [Key: Element]
    init(_ elements: [Key: Element]) { self.elements = elements }
  }
  /// The elements as a dictionary: O(*n*) for the first caller.
  var elements: [Key: Element] {
    unsafeDowncast(whole.object ?? whole.keep(Whole(tree.dictionary)), to: Whole.self).elements
  }

  var snapshot: DictionarySnapshot<Key, Element> { DictionarySnapshot(tree) }
  var count: Int { tree.count }
  var withoutHistory: DictionaryState { DictionaryState(tree) }

  /// The dictionary that the closure of `edit` receives: the elements, and the edits that it has recorded.
  var editor: DictionaryEditor<Key, Element> { DictionaryEditor(tree, Recording(since: log.id)) }
  /// The state after the edits of an editor; nil if there are none.
  func next(_ editor: DictionaryEditor<Key, Element>) -> DictionaryState? {
    if tree.isEmpty && editor.tree.isEmpty && editor.recording.batch == nil { return nil }
    var log = log
    log.append(editor.recording, size: editor.tree.count)
    return log.id == self.log.id ? nil : DictionaryState(editor.tree, log)
  }

  /// Edits the dictionary and records the edits, if there are any.
  static func edit<R, E: Error>(
    _ state: inout DictionaryState, _ body: (inout DictionaryEditor<Key, Element>) throws(E) -> R
  ) throws(E) -> R {
    var editor = state.editor
    let result = try body(&editor)
    if let next = state.next(editor) { state = next }
    return result
  }
}
