/// An array with its edits.
struct ArrayState<Element: Sendable>: CollectionState {
  typealias Editor = ArrayEditor<Element>
  var elements: [Element]
  var log = EditLog<ArrayEdit<Element>>()

  /// A state without a history: for an observer that has another state, a reset.
  init(_ elements: [Element]) { self.elements = elements }
}
