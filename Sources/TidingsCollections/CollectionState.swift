import Tidings

/// The state of an array or of a dictionary: its elements, and the edits that led to them. It never changes.
///
/// Two are equal when they are the same state, which compares no elements. It is an object, because the value that holds it
/// then copies one reference.
protocol CollectionState: AnyObject, Sendable, Equatable {
  var log: EditLog { get }
  var count: Int { get }
}

extension CollectionState {
  static func == (one: Self, other: Self) -> Bool { one === other }
}

extension ValueReader where Value: CollectionState {
  var count: Derived<Int> { Derived { value.count } }
  var isEmpty: Derived<Bool> { Derived { value.count == 0 } }
}
