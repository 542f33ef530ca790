/// The elements of an observed dictionary at one moment, with their keys: it shares its storage with the dictionary.
///
/// ```swift
/// let before = prices.snapshot
/// prices.set(200, for: "AAPL")
/// print(before["AAPL"] as Any, before.count)
/// ```
///
/// It is made in O(1) and never changes. A dictionary that is edited afterwards copies only what the edit changes. The keys are
/// in no particular order.
///
/// - Complexity: O(log *n*) for the element of a key, O(*n*) for all.
public struct DictionarySnapshot<Key: Hashable, Value>: Sequence {
  let tree: PersistentDictionary<Key, Value>
  init(_ tree: PersistentDictionary<Key, Value>) { self.tree = tree }

  /// The number of keys.
  public var count: Int { tree.count }
  /// Whether there are no keys.
  public var isEmpty: Bool { tree.isEmpty }
  /// The element for a key; nil if there is none.
  public subscript(key: Key) -> Value? { tree[key] }

  public var underestimatedCount: Int { tree.count }
  public func makeIterator() -> Iterator { Iterator(nodes: tree.root.map { [$0] } ?? []) }
}

extension DictionarySnapshot: Sendable where Key: Sendable, Value: Sendable {}

extension DictionarySnapshot: Equatable where Value: Equatable {
  /// Compares the elements; not if both share their storage.
  public static func == (one: Self, other: Self) -> Bool {
    if one.tree.root === other.tree.root { return true }
    return one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
  }
}

extension DictionarySnapshot: CustomStringConvertible {
  /// The elements, as a dictionary shows them.
  public var description: String { tree.dictionary.description }
}
