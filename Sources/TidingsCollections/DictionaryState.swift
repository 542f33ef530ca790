/// A dictionary with its edits.
final class DictionaryState<Key: Hashable & Sendable, Element: Sendable>: CollectionState {
  let elements: [Key: Element]
  let log: EditLog

  /// A state without a history: for an observer that has another state, a reset.
  init(_ elements: [Key: Element], _ log: EditLog = EditLog()) { (self.elements, self.log) = (elements, log) }

  var count: Int { elements.count }
  var withoutHistory: DictionaryState { DictionaryState(elements) }
  var editor: DictionaryEditor<Key, Element> { DictionaryEditor(elements, Recording(since: log.id)) }
  func next(_ editor: DictionaryEditor<Key, Element>) -> DictionaryState? {
    if elements.isEmpty && editor.elements.isEmpty && editor.recording.batch == nil { return nil }
    var log = log
    log.append(editor.recording, size: editor.elements.count)
    return log.id == self.log.id ? nil : DictionaryState(editor.elements, log)
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
