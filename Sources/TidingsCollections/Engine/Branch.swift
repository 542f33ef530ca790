/// A node with 1 to 16 children.
final class Branch: Node, @unchecked Sendable {  // as `Node`
  struct Child {
    var node: Node
    /// The count of the node: a search reads no node beside the path.
    var count: Int
  }
  private static var limit: Int { 16 }
  /// Has room for one child more, which is there until the branch is split.
  private var children: UnsafeMutablePointer<Child> { storage.assumingMemoryBound(to: Child.self) }
  private var used: Int

  private init(level: Int, count: Int, used: Int) {
    let children = UnsafeMutablePointer<Child>.allocate(capacity: Self.limit + 1)
    self.used = used
    super.init(level: level, count: count, storage: UnsafeMutableRawPointer(children))
  }
  // The standard library's code for an array of references takes twice as long here and in `copy`.
  deinit {
    for index in 0..<used { Unmanaged.passUnretained(children[index].node).release() }
    children.deallocate()
  }

  /// Makes a branch of nodes of one level, at most 16.
  convenience init(_ nodes: some Collection<Node>) {
    self.init(level: nodes.first!.level + 1, count: 0, used: 0)
    for node in nodes { append(node) }
  }
  private func append(_ node: Node) {
    (children + used).initialize(to: Child(node: node, count: node.count))
    used += 1
    count += node.count
  }

  override var entries: Int { used }
  override var capacity: Int { Self.limit }
  /// The child, if there is no other.
  var onlyChild: Node? { used == 1 ? children[0].node : nil }
  var nodes: [Node] { (0..<used).map { children[$0].node } }
  /// The children, while the branch exists and is not edited.
  var lentChildren: UnsafeBufferPointer<Child> { UnsafeBufferPointer(start: children, count: used) }

  override func copy() -> Node {
    let copy = Branch(level: level, count: count, used: used)
    copy.storage.copyMemory(from: storage, byteCount: used * MemoryLayout<Child>.stride)
    for index in 0..<used { _ = Unmanaged.passUnretained(children[index].node).retain() }
    return copy
  }

  /// The child with an element, and the offset there.
  @inline(__always)
  func child(of offset: Int) -> (node: Unmanaged<Node>, offset: Int) {
    let (index, left) = place(of: offset)
    return (Unmanaged.passUnretained(children[index].node), left)
  }
  @inline(__always)
  private func place(of offset: Int) -> (index: Int, offset: Int) {
    var (index, left) = (0, offset)
    // An offset at the end is in the last child.
    while index < used - 1, left >= children[index].count {
      left -= children[index].count
      index += 1
    }
    return (index, left)
  }

  /// A child that this branch alone refers to.
  private func ownChild(_ index: Int) -> Node {
    if !isKnownUniquelyReferenced(&children[index].node) { children[index].node = children[index].node.copy() }
    return children[index].node
  }

  override func replace(at offset: Int, copying element: UnsafeRawPointer) {
    let (index, left) = place(of: offset)
    ownChild(index).replace(at: left, copying: element)
  }

  override func insert(at offset: Int, isLast: Bool, copying element: UnsafeRawPointer) -> Node? {
    let (index, left) = place(of: offset)
    let child = ownChild(index)
    let isLastChild = index == used - 1
    let next = child.insert(at: left, isLast: isLast && isLastChild, copying: element)
    children[index].count = child.count
    count += 1
    guard let next else { return nil }
    (children + index + 2).moveInitialize(from: children + index + 1, count: used - index - 1)
    (children + index + 1).initialize(to: Child(node: next, count: next.count))
    used += 1
    // Nodes that grow at the end of the tree stay full.
    return used > Self.limit ? split(at: isLast && isLastChild ? Self.limit : used / 2) : nil
  }
  private func split(at index: Int) -> Branch {
    let next = Branch(level: level, count: 0, used: used - index)
    next.children.moveInitialize(from: children + index, count: used - index)
    used = index
    for index in 0..<next.used { next.count += next.children[index].count }
    count -= next.count
    return next
  }

  override func remove(at offset: Int) {
    let (index, left) = place(of: offset)
    let child = ownChild(index)
    child.remove(at: left)
    children[index].count = child.count
    count -= 1
    if child.entries < child.minimum { mergeChild(index) }
  }
  private func mergeChild(_ index: Int) {
    if used == 1 {
      // The parent merges this branch, or drops it.
      if children[0].count == 0 {
        children.deinitialize(count: 1)
        used = 0
      }
      return
    }
    let first = index == 0 ? 0 : index - 1
    let (one, other) = children[first].node.merged(with: children[first + 1].node)
    children[first] = Child(node: one, count: one.count)
    if let other {
      children[first + 1] = Child(node: other, count: other.count)
    } else {
      (children + first + 1).deinitialize(count: 1)
      (children + first + 1).moveInitialize(from: children + first + 2, count: used - first - 2)
      used -= 1
    }
  }

  override func merged(with next: Node) -> (Node, Node?) {
    let all = nodes + unsafeDowncast(next, to: Branch.self).nodes
    if all.count <= Self.limit { return (Branch(all), nil) }
    return (Branch(all.prefix(all.count / 2)), Branch(all.dropFirst(all.count / 2)))
  }
}
