/// The elements of an observed array at one moment: a collection that shares its storage with the array.
///
/// ```swift
/// let before = tasks.snapshot
/// tasks.append("rest")
/// print(before.count, tasks.snapshot.last!)
/// ```
///
/// It is made in O(1) and never changes. An array that is edited afterwards copies only what the edit changes.
///
/// - Complexity: O(log *n*) for an element by its index, O(*n*) for all elements in order. `Array(snapshot)` copies them.
public struct ArraySnapshot<Element>: RandomAccessCollection {
  public typealias Indices = Range<Int>

  let tree: PersistentArray<Element>
  init(_ tree: PersistentArray<Element>) { self.tree = tree }

  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }
  public subscript(index: Int) -> Element { tree[index] }
  public func makeIterator() -> Iterator { Iterator(tree) }
}

extension ArraySnapshot: Sendable where Element: Sendable {}

extension ArraySnapshot: Equatable where Element: Equatable {
  /// Compares the elements; not if both share their storage.
  public static func == (one: Self, other: Self) -> Bool {
    one.tree.root === other.tree.root || (one.count == other.count && one.elementsEqual(other))
  }
}

extension ArraySnapshot: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension ArraySnapshot: CustomStringConvertible {
  /// The elements, as an array shows them.
  public var description: String { tree.array.description }
}
