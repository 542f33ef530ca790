extension ArraySnapshot {
  /// Walks from leaf to leaf: an element costs about what it costs in an array.
  public struct Iterator: IteratorProtocol {
    /// Keeps the leaves alive: the iterator exists at least until its last read of an element.
    private let tree: PersistentArray<Element>
    /// The next element of the current leaf, and the end of the leaf.
    @usableFromInline var (upcoming, end): (UnsafePointer<Element>, UnsafePointer<Element>)
    /// How many elements come after the current leaf.
    private var rest: Int
    /// The leaves that come after it in the same branch.
    private var leaves = UnsafeBufferPointer<Branch.Child>(start: nil, count: 0)[...]

    init(_ tree: PersistentArray<Element>) {
      self.tree = tree
      rest = tree.count
      upcoming = UnsafePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
      end = upcoming
    }

    @inlinable @inline(__always)
    public mutating func next() -> Element? {
      if upcoming == end, !takeLeaf() { return nil }
      let element = upcoming
      upcoming = element + 1
      return element.pointee
    }

    @usableFromInline
    mutating func takeLeaf() -> Bool {
      if rest == 0 { return false }
      if let leaf = leaves.popFirst() {
        take(leaf.node)
        return true
      }
      // The next leaf is the first of a branch, or the only one.
      var (node, left) = (Unmanaged.passUnretained(tree.root.unsafelyUnwrapped), tree.count - rest)
      while node._withUnsafeGuaranteedRef({ $0.level > 1 }) {
        (node, left) = node._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Branch.self).child(of: left) }
      }
      node._withUnsafeGuaranteedRef { node in
        if node.level == 0 { return take(node) }
        leaves = unsafeDowncast(node, to: Branch.self).lentChildren[...]
        take(leaves.removeFirst().node)
      }
      return true
    }
    private mutating func take(_ leaf: Node) {
      upcoming = UnsafePointer(unsafeDowncast(leaf, to: Leaf<Element>.self).elements)
      end = upcoming + leaf.count
      rest -= leaf.count
    }
  }
}

@available(*, unavailable)
extension ArraySnapshot.Iterator: Sendable {}
