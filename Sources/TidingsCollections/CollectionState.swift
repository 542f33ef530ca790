import Tidings

/// The state of an array or of a dictionary: its elements, and the edits that led to them. It never changes.
///
/// Two are equal when they are the same state, which compares no elements. It is an object, because the value that holds it
/// then copies one reference.
protocol CollectionState: AnyObject, Sendable, Equatable {
  associatedtype Editor: Sendable
  associatedtype Edit: Sendable
  var log: EditLog<Edit> { get }
  var count: Int { get }
  /// The same elements without a history: for an observer that has another state, a reset.
  var withoutHistory: Self { get }

  /// The collection that the closure of `edit` receives: the elements, and the edits that it has recorded.
  var editor: Editor { get }
  /// The state after the edits of an editor; nil if there are none.
  func next(_ editor: Editor) -> Self?
}

extension CollectionState {
  static func == (one: Self, other: Self) -> Bool { one === other }

  /// Edits the collection and records the edits, if there are any.
  @inline(__always)
  static func edit<R, E: Error>(_ state: inout Self, _ body: (inout Editor) throws(E) -> R) throws(E) -> R {
    var editor = state.editor
    let result = try body(&editor)
    if let next = state.next(editor) { state = next }
    return result
  }
}

extension ValueReader where Value: CollectionState {
  var count: Derived<Int> { Derived { value.count } }
  var isEmpty: Derived<Bool> { Derived { value.count == 0 } }
}
