extension ArraySnapshot {
  /// Walks from leaf to leaf: an element costs what it costs in an array.
  public struct Iterator: IteratorProtocol {
    /// Keeps the leaves alive.
    @usableFromInline let tree: ArraySnapshot
    /// The next element of the current leaf, and how many are left there.
    @usableFromInline var upcoming: UnsafePointer<Element>?
    @usableFromInline var left = 0
    /// How many elements come after the current leaf.
    private var rest: Int

    init(_ tree: PersistentArray<Element>) {
      self.tree = ArraySnapshot(tree)
      rest = tree.count
    }

    @inlinable
    public mutating func next() -> Element? {
      if left == 0, !takeLeaf() { return nil }
      return withExtendedLifetime(tree) {
        let element = upcoming.unsafelyUnwrapped
        upcoming = element + 1
        left &-= 1
        return element.pointee
      }
    }

    @usableFromInline
    mutating func takeLeaf() -> Bool {
      if rest == 0 { return false }
      let tree = tree.tree
      let leaf = tree.root.unsafelyUnwrapped.leaf(of: tree.count - rest).leaf
      leaf._withUnsafeGuaranteedRef { leaf in
        upcoming = UnsafePointer(unsafeDowncast(leaf, to: Leaf<Element>.self).elements)
        left = leaf.count
        rest -= leaf.count
      }
      return true
    }
  }
}

@available(*, unavailable)
extension ArraySnapshot.Iterator: Sendable {}
