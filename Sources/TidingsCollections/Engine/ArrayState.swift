import Tidings

/// An array with its edits.
final class ArrayState<Element: Sendable>: CollectionState {
  let tree: PersistentArray<Element>
  let log: EditLog<ArrayEdit<Element>>
  /// The elements as an array, once someone has read them so. The lock knows nothing of the type.
  private let whole: Lock<AnyObject?>

  private final class Whole: Sendable {
    let elements: [Element]
    init(_ elements: [Element]) { self.elements = elements }
  }

  init(_ tree: PersistentArray<Element>, _ log: EditLog<ArrayEdit<Element>> = EditLog()) {
    (self.tree, self.log) = (tree, log)
    whole = Lock(nil)
  }
  /// A state without a history: for an observer that has another state, a reset.
  init(_ elements: [Element]) {
    (tree, log) = (PersistentArray(elements), EditLog())
    whole = Lock(Whole(elements))
  }

  /// The elements as an array: O(*n*) for the first caller.
  var elements: [Element] {
    if let known = whole.withLock({ $0 }) { return unsafeDowncast(known, to: Whole.self).elements }
    let new = Whole(tree.array)
    let kept = whole.withLock { whole in
      if whole == nil { whole = new }
      return whole
    }
    return unsafeDowncast(kept.unsafelyUnwrapped, to: Whole.self).elements
  }

  var count: Int { tree.count }
  var withoutHistory: ArrayState { ArrayState(tree) }
  var editor: ArrayEditor<Element> { ArrayEditor(tree, Recording(since: log.id)) }
  func next(_ editor: ArrayEditor<Element>) -> ArrayState? {
    if tree.isEmpty && editor.tree.isEmpty && editor.recording.edits.isEmpty { return nil }
    var log = log
    log.append(editor.recording, size: editor.tree.count)
    return log.id == self.log.id ? nil : ArrayState(editor.tree, log)
  }
}
