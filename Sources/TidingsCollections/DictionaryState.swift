/// A dictionary with its edits.
struct DictionaryState<Key: Hashable & Sendable, Element: Sendable>: CollectionState {
  typealias Editor = DictionaryEditor<Key, Element>
  var elements: [Key: Element]
  var log = EditLog<DictionaryEdit<Key, Element>>()

  /// A state without a history: for an observer that has another state, a reset.
  init(_ elements: [Key: Element]) { self.elements = elements }
}
