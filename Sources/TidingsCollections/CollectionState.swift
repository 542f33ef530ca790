import Tidings

/// The state of an array or of a dictionary: its elements, and the edits that led to them.
///
/// Two are equal when they are the same state, which compares no elements.
protocol CollectionState: Sendable, Equatable {
  associatedtype Editor: CollectionEditor
  var elements: Editor.Elements { get set }
  var log: EditLog<Editor.Edit> { get set }
}

/// The collection that the closure of `edit` receives: its elements, and the edits that it has recorded.
protocol CollectionEditor: Sendable {
  associatedtype Elements: Collection
  associatedtype Edit: Sendable
  var elements: Elements { get }
  var recording: Recording<Edit> { get }

  /// Makes an editor of no state, without elements.
  init()
  init(_ elements: Elements, _ recording: Recording<Edit>)
}

extension CollectionState {
  static func == (one: Self, other: Self) -> Bool { one.log.id == other.log.id }

  /// Edits the collection and records the edits, if there are any.
  mutating func edit<R, E: Error>(_ body: (inout Editor) throws(E) -> R) throws(E) -> R {
    let wasEmpty = elements.isEmpty
    var editor = Editor(elements, Recording(since: log.id))
    // The editor has the only reference to the storage.
    elements = Editor().elements
    // The caller discards this value when the closure throws.
    defer { elements = editor.elements }
    let result = try body(&editor)
    if !(wasEmpty && editor.elements.isEmpty && editor.recording.edits.isEmpty) {
      log.append(editor.recording, size: editor.elements.count)
    }
    return result
  }
}

extension ValueReader where Value: CollectionState {
  var count: Derived<Int> { Derived { value.elements.count } }
  var isEmpty: Derived<Bool> { Derived { value.elements.isEmpty } }
}
