import Synchronization

/// An array with its edits.
final class ArrayState<Element: Sendable>: CollectionState {
  let tree: PersistentArray<Element>
  let log: EditLog
  private let whole = WholeMemo()

  init(_ tree: PersistentArray<Element>, _ log: EditLog = EditLog()) { (self.tree, self.log) = (tree, log) }
  /// A state without a history: for an observer that has another state, a reset.
  convenience init(_ elements: [Element]) {
    self.init(PersistentArray(elements))
    whole.keep(Whole(elements))
  }

  private final class Whole: Sendable {
    let elements: [Element]
    init(_ elements: [Element]) { self.elements = elements }
  }
  /// The elements as an array: O(*n*) for the first caller.
  var elements: [Element] {
    unsafeDowncast(whole.object ?? whole.keep(Whole(tree.array)), to: Whole.self).elements
  }

  var count: Int { tree.count }
  var withoutHistory: ArrayState { ArrayState(tree) }

  /// The array that the closure of `edit` receives: the elements, and the edits that it has recorded.
  var editor: ArrayEditor<Element> { ArrayEditor(tree, Recording(since: log.id)) }
  /// The state after the edits of an editor; nil if there are none.
  func next(_ editor: ArrayEditor<Element>) -> ArrayState? {
    if tree.isEmpty && editor.tree.isEmpty && editor.recording.batch == nil { return nil }
    var log = log
    log.append(editor.recording, size: editor.tree.count)
    return log.id == self.log.id ? nil : ArrayState(editor.tree, log)
  }

  /// Edits the array and records the edits, if there are any.
  static func edit<R, E: Error>(
    _ state: inout ArrayState, _ body: (inout ArrayEditor<Element>) throws(E) -> R
  ) throws(E) -> R {
    var editor = state.editor
    let result = try body(&editor)
    if let next = state.next(editor) { state = next }
    return result
  }
}
