/// Reads elements of a tree, without a search for those in the leaf of the element before.
///
/// It is valid while the tree that it was made of exists and is not edited.
struct Cursor<Element> {
  private let root: Unmanaged<Node>?
  /// The offset of the first element of the current leaf, and how many it has.
  private var (start, count) = (0, 0)
  private var elements: UnsafePointer<Element>?

  init(_ tree: borrowing PersistentArray<Element>) { root = tree.root.map { .passUnretained($0) } }

  @inline(__always)
  mutating func pointer(at offset: Int) -> UnsafePointer<Element> {
    if offset < start || offset >= start + count { find(offset) }
    return elements.unsafelyUnwrapped + (offset - start)
  }
  private mutating func find(_ offset: Int) {
    let (leaf, left) = root.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.leaf(of: offset) }
    start = offset - left
    (count, elements) = leaf._withUnsafeGuaranteedRef { leaf in
      (leaf.count, UnsafePointer(unsafeDowncast(leaf, to: Leaf<Element>.self).elements))
    }
  }
}
