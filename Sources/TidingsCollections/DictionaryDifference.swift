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
  private let (old, state): (DictionaryState<Key, Element>?, DictionaryState<Key, Element>)
  /// Nil for a reset.
  private let batches: [EditBatch]?

  init(from old: DictionaryState<Key, Element>?, to new: DictionaryState<Key, Element>) {
    (self.old, state) = (old, new)
    batches = old.flatMap { new.log.batches(since: $0.log.id) }
  }

  /// The edits, in order; a key may occur more than once.
  ///
  /// Those of a reset remove every old element and insert every new one, in any order.
  ///
  /// - Complexity: O(*k*) in the number of edits, each time.
  public var edits: [DictionaryEdit<Key, Element>] {
    if let batches { return batches.dictionaryEdits() }
    let removals = old?.snapshot.map { DictionaryEdit<Key, Element>(key: $0, old: $1, new: nil) } ?? []
    return removals + snapshot.map { .init(key: $0, old: nil, new: $1) }
  }

  /// Whether this is a reset: the dictionary was replaced as a whole, this is the first notification, or there were more
  /// edits since the last notification than are kept.
  public var isReset: Bool { batches == nil }

  /// The keys that were set or removed, including keys whose element is equal to the one before.
  ///
  /// - Complexity: O(*k*) in the number of edits.
  public var keys: Set<Key> { Set(edits.map(\.key)) }

  /// The dictionary after the change.
  ///
  /// - Complexity: O(*n*) for the first reader of this state of the dictionary, then O(1). ``snapshot`` has the same elements.
  public var elements: [Key: Element] { state.elements }

  /// The dictionary after the change, which shares its storage with the observed dictionary.
  ///
  /// - Complexity: O(1).
  public var snapshot: DictionarySnapshot<Key, Element> { state.snapshot }

  /// Applies the change to another dictionary, which must be equal to this one before the change.
  ///
  /// - Parameter elements: The other dictionary.
  /// - Complexity: That of ``elements`` for a reset, otherwise O(*k*) in the number of edits.
  public func apply(to elements: inout [Key: Element]) {
    if isReset {
      elements = self.elements
    } else {
      for edit in edits { elements[edit.key] = edit.new }
    }
  }
}
