/// A node with elements: at most 64, or about a kilobyte.
final class Leaf<Element>: Node, @unchecked Sendable {  // as `Node`; a tree of `Sendable` elements is shared
  /// Has room for one element more, which is there until the leaf is split.
  let elements: UnsafeMutablePointer<Element>

  static var limit: Int { max(16, min(64, 1_024 / max(1, MemoryLayout<Element>.stride))) }

  private init(count: Int) {
    elements = .allocate(capacity: Self.limit + 1)
    super.init(level: 0, count: count)
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

  override func update(at offset: Int, _ change: (_ leaf: Node, _ offset: Int) -> Void) { change(self, offset) }

  override func insert(at offset: Int, isLast: Bool, _ insert: (_ leaf: Node, _ offset: Int) -> Void) -> Node? {
    insert(self, offset)
    if count <= Self.limit { return nil }
    // Nodes that grow at the end of the tree stay full.
    let kept = isLast && offset == count - 1 ? count - 1 : count / 2
    let next = Leaf(count: count - kept)
    next.elements.moveInitialize(from: elements + kept, count: count - kept)
    count = kept
    return next
  }
  func insert(_ element: Element, at offset: Int) {
    (elements + offset + 1).moveInitialize(from: elements + offset, count: count - offset)
    (elements + offset).initialize(to: element)
    count += 1
  }

  override func remove(at offset: Int, _ remove: (_ leaf: Node, _ offset: Int) -> Void) { remove(self, offset) }
  func remove(at offset: Int) -> Element {
    let element = (elements + offset).move()
    (elements + offset).moveInitialize(from: elements + offset + 1, count: count - offset - 1)
    count -= 1
    return element
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
