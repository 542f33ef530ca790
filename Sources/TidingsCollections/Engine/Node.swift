/// A node of a tree of elements by position: a leaf with elements, or a branch with nodes of the level below.
///
/// Trees share nodes. A node is changed in place by the owner of its only reference, and is copied by every other. So an edit
/// copies the nodes from the root to one leaf, and a second edit of the same tree copies only what the first has not.
///
/// Nodes are classes without the type of the elements, as far as they can be: code that finds a type at run time takes longer
/// than the rest of an edit.
class Node: @unchecked Sendable {  // changed only through its only reference, which one thread has
  /// 0 for a leaf.
  final let level: Int
  /// The number of elements below.
  final var count: Int

  /// The elements of a leaf, or the children of a branch.
  final let storage: UnsafeMutableRawPointer

  init(level: Int, count: Int, storage: UnsafeMutableRawPointer) {
    (self.level, self.count, self.storage) = (level, count, storage)
  }

  /// The number of elements of a leaf, or of children of a branch, and how many a node may have.
  var entries: Int { fatalError("overridden") }
  var capacity: Int { fatalError("overridden") }
  /// A node with fewer entries is merged with a neighbor, unless it is the last of its level.
  final var minimum: Int { capacity / 4 }

  func copy() -> Node { fatalError("overridden") }

  /// Replaces an element by a copy of the one at the address.
  func replace(at offset: Int, copying element: UnsafeRawPointer) { fatalError("overridden") }

  /// Inserts a copy of the element at the address.
  ///
  /// - Parameter isLast: Whether this is the last node of its level.
  /// - Returns: The node after this one, if there is one now.
  func insert(at offset: Int, isLast: Bool, copying element: UnsafeRawPointer) -> Node? { fatalError("overridden") }

  /// Removes an element. Nodes below are merged if necessary.
  func remove(at offset: Int) { fatalError("overridden") }

  /// The entries of this node and the next, in one new node or evenly in two.
  func merged(with next: Node) -> (Node, Node?) { fatalError("overridden") }

  /// The leaf of an element and the element's offset there.
  @inline(__always)
  final func leaf(of offset: Int) -> (leaf: Unmanaged<Node>, offset: Int) {
    var (node, left) = (Unmanaged.passUnretained(self), offset)
    while node._withUnsafeGuaranteedRef({ $0.level > 0 }) {
      (node, left) = node._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Branch.self).child(of: left) }
    }
    return (node, left)
  }
}
