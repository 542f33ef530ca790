/// A node with elements: at most 64, or about a kilobyte.
final class Leaf<Element>: Node, @unchecked Sendable {  // as `Node`; a tree of `Sendable` elements is shared
  /// Has room for one element more, which is there until the leaf is split.
  var elements: UnsafeMutablePointer<Element> { storage.assumingMemoryBound(to: Element.self) }

  static var limit: Int { max(16, min(64, 1_024 / max(1, MemoryLayout<Element>.stride))) }

  private init(count: Int) {
    let elements = UnsafeMutablePointer<Element>.allocate(capacity: Self.limit + 1)
    super.init(level: 0, count: count, storage: UnsafeMutableRawPointer(elements))
  }
  deinit {
    elements.deinitialize(count: count)
    elements.deallocate()
  }

  /// Makes a leaf of at most ``limit`` elements.
  convenience init(copying source: UnsafePointer<Element>, count: Int) {
    self.init(count: count)
    elements.initialize(from: source, count: count)
  }
  /// Makes a leaf of one element.
  convenience init(_ element: Element) {
    self.init(count: 1)
    elements.initialize(to: element)
  }

  override var entries: Int { count }
  override var capacity: Int { Self.limit }
  override func copy() -> Node { Leaf(copying: elements, count: count) }

  override func replace(at offset: Int, copying element: UnsafeRawPointer) {
    elements[offset] = element.assumingMemoryBound(to: Element.self).pointee
  }

  override func insert(at offset: Int, isLast: Bool, copying element: UnsafeRawPointer) -> Node? {
    (elements + offset + 1).moveInitialize(from: elements + offset, count: count - offset)
    (elements + offset).initialize(to: element.assumingMemoryBound(to: Element.self).pointee)
    count += 1
    if count <= Self.limit { return nil }
    // Nodes that grow at the end of the tree stay full.
    let kept = isLast && offset == count - 1 ? count - 1 : count / 2
    let next = Leaf(count: count - kept)
    next.elements.moveInitialize(from: elements + kept, count: count - kept)
    count = kept
    return next
  }

  override func remove(at offset: Int) {
    (elements + offset).deinitialize(count: 1)
    (elements + offset).moveInitialize(from: elements + offset + 1, count: count - offset - 1)
    count -= 1
  }

  override func merged(with next: Node) -> (Node, Node?) {
    let next = unsafeDowncast(next, to: Leaf.self)
    let total = count + next.count
    let kept = total <= Self.limit ? total : total / 2
    let (one, other) = (Leaf(count: kept), total == kept ? nil : Leaf(count: total - kept))
    /// Copies elements to their places in the two leaves.
    func copy(_ source: Leaf, to start: Int) {
      let fitting = max(0, min(source.count, kept - start))
      (one.elements + start).initialize(from: source.elements, count: fitting)
      if let other, fitting < source.count {
        (other.elements + start + fitting - kept)
          .initialize(from: source.elements + fitting, count: source.count - fitting)
      }
    }
    copy(self, to: 0)
    copy(next, to: count)
    return (one, other)
  }
}
