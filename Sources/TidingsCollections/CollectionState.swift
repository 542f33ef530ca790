import Tidings

/// The common part of the state of an array and that of a dictionary: elements, of which there are some or none.
protocol CollectionState: Sendable {
  associatedtype Elements: Collection
  var elements: Elements { get }
}
extension ArrayState: CollectionState {}
extension DictionaryState: CollectionState {}

extension ValueReader where Value: CollectionState {
  var count: Derived<Int> { Derived { value.elements.count } }
  var isEmpty: Derived<Bool> { Derived { value.elements.isEmpty } }
}
