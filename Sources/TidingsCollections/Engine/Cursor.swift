/// Reads elements of a tree, without a search for those in the leaf of the element before.
///
/// It is valid while the tree that it was made of exists and is not edited.
struct Cursor {
  private let root: Unmanaged<Node>?
  private let stride: Int
  /// The offset of the first element of the current leaf, and how many it has.
  private var (start, count) = (0, 0)
  private var elements: UnsafeRawPointer?

  init<Element>(_ tree: PersistentArray<Element>) {
    root = tree.root.map { .passUnretained($0) }
    stride = MemoryLayout<Element>.stride
  }

  /// The address of an element of the type that the tree has.
  @inline(__always)
  mutating func element(at offset: Int) -> UnsafeRawPointer {
    if offset < start || offset >= start + count { find(offset) }
    return elements.unsafelyUnwrapped + (offset - start) * stride
  }
  private mutating func find(_ offset: Int) {
    let (leaf, left) = root.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.leaf(of: offset) }
    start = offset - left
    (count, elements) = leaf._withUnsafeGuaranteedRef { ($0.count, UnsafeRawPointer($0.storage)) }
  }
}
