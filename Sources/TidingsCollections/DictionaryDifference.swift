/// One edit of a dictionary, as it was made: a key with the element before and after.
public struct DictionaryEdit<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  /// The key that was edited.
  public let key: Key
  /// The element before; nil if there was none.
  public let old: Element?
  /// The element after; nil if it was removed.
  public let new: Element?
}

extension DictionaryEdit: Equatable where Element: Equatable {}

/// A change of a dictionary: the edits as they were made, and the dictionary after them.
///
/// ```swift
/// let following = prices.differences.observe { difference in
///   for key in difference.keys { print(key, difference.elements[key] as Any) }
/// }
/// ```
public struct DictionaryDifference<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  /// The dictionary after the change.
  public let elements: [Key: Element]
  /// The edits, in order; a key may occur more than once.
  ///
  /// Those of a reset remove every old element and insert every new one, in any order.
  public let edits: [DictionaryEdit<Key, Element>]
  /// Whether this is a reset: the dictionary was replaced as a whole, this is the first notification, or there were more
  /// edits since the last notification than are kept.
  public let isReset: Bool

  /// The keys that were set or removed, including keys whose element is equal to the one before.
  ///
  /// - Complexity: O(*k*) in the number of edits.
  public var keys: Set<Key> { Set(edits.map(\.key)) }

  init(from old: DictionaryState<Key, Element>?, to new: DictionaryState<Key, Element>) {
    elements = new.elements
    if let old, let batches = new.log.batches(since: old.log.id) {
      (edits, isReset) = (batches.dictionaryEdits(), false)
    } else {
      let removals = (old?.elements ?? [:]).map { DictionaryEdit<Key, Element>(key: $0, old: $1, new: nil) }
      (edits, isReset) = (removals + new.elements.map { .init(key: $0, old: nil, new: $1) }, true)
    }
  }

  /// Applies the change to another dictionary, which must be equal to this one before the change.
  ///
  /// - Parameter elements: The other dictionary.
  /// - Complexity: O(1) for a reset, otherwise O(*k*) in the number of edits.
  public func apply(to elements: inout [Key: Element]) {
    if isReset {
      elements = self.elements
    } else {
      for edit in edits { elements[edit.key] = edit.new }
    }
  }
}
