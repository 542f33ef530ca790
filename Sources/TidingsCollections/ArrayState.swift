/// An array with its edits. Two are equal when they are the same state, which compares no elements.
struct ArrayState<Element: Sendable>: Sendable, Equatable {
  private(set) var elements: [Element]
  private(set) var log = EditLog<ArrayEdit<Element>>()

  /// A state without a history: for an observer that has another state, a reset.
  init(_ elements: [Element]) { self.elements = elements }

  static func == (one: Self, other: Self) -> Bool { one.log.id == other.log.id }

  /// Edits the array and records the edits, if there are any.
  mutating func edit<R, E: Error>(_ body: (inout ArrayEditor<Element>) throws(E) -> R) throws(E) -> R {
    var editor = ArrayEditor(elements)
    // The editor has the only reference to the storage.
    elements = []
    let result: R
    do throws(E) { result = try body(&editor) } catch {
      // The caller discards this value when the closure throws.
      elements = editor.elements
      throw error
    }
    elements = editor.elements
    if !editor.edits.isEmpty { log.append(editor.edits, size: elements.count) }
    return result
  }
}
