/// An array and how it came to be what it is. Two are equal when they are the same state, which takes no comparison of elements.
struct ArrayState<Element: Sendable>: Sendable, Equatable {
  private(set) var elements: [Element]
  private(set) var log = EditLog<ArrayEdit<Element>>()

  /// One that came from nowhere: to whoever knows another state, a reset.
  init(_ elements: [Element]) { self.elements = elements }

  static func == (one: Self, other: Self) -> Bool { one.log.id == other.log.id }

  /// Edits the array, and notes the edits, if there are any.
  mutating func edit<R, E: Error>(_ body: (inout ArrayEditor<Element>) throws(E) -> R) throws(E) -> R {
    var editor = ArrayEditor(elements)
    // The editor has the only reference of this value.
    elements = []
    let result: R
    do throws(E) { result = try body(&editor) } catch {
      // Whoever holds the value throws it away.
      elements = editor.elements
      throw error
    }
    elements = editor.elements
    if !editor.edits.isEmpty { log.append(editor.edits, size: elements.count) }
    return result
  }
}
