import Synchronization

// Which graph a node is in: its word names that graph, or one that was merged into it, and is written under the graph's lock.
//
// Why memory that is used again is safe. A graph is reused when no node, list or other graph names it, and after the pins of
// that moment have ended. A thread that has read its address before, and takes its lock late, then finds that the node's word
// does not lead to it.
extension Graph {
  // MARK: Locking

  /// Takes the lock that orders accesses to a node: that of its graph, or, where it is alone, its own; then there is no graph.
  @inline(never)
  static func take(of node: NodePointer) -> GraphPointer? { takeQuickly(of: node) }
  /// The same for `set`. Inlined everywhere it made a small program ten kilobytes larger.
  @inline(__always)
  static func takeQuickly(of node: NodePointer) -> GraphPointer? {
    let word = node.pointee.graph.load(ordering: .acquiring)
    if _fastPath(word > 1) {
      let graph = GraphPointer(bitPattern: word).unsafelyUnwrapped
      lock(graph)
      if _fastPath(node.pointee.graph.load(ordering: .relaxed) == word && !graph.pointee.isMerged) { return graph }
      unlock(graph)
    }
    return takeSlowly(of: node)
  }
  @inline(never)
  private static func takeSlowly(of node: NodePointer) -> GraphPointer? {
    while true {
      guard let root = root(of: node) else {
        if Node.takeAlone(node) { return nil }
        continue
      }
      lock(root)
      // Asked apart: of a graph that has been merged, `members` is protected by the lock of another.
      if !root.pointee.isMerged, root.pointee.claim(node) { return root }
      unlock(root)
    }
  }
  @inline(never)
  static func giveBack(_ graph: GraphPointer?, of node: NodePointer) {
    if let graph { unlock(graph) } else { Node.giveBackAlone(node) }
  }

  /// That of the pin under way.
  @inline(__always)
  static func takeOwn(_ context: ContextPointer) -> GraphPointer {
    let graph = GraphPointer(bitPattern: context.pointee.seen.graph).unsafelyUnwrapped
    lock(graph)
    return _fastPath(!graph.pointee.isMerged) ? graph : takeMerged(graph, context)
  }
  @inline(never)
  private static func takeMerged(_ first: GraphPointer, _ context: ContextPointer) -> GraphPointer {
    var graph = first
    while let next = graph.pointee.successor {
      unlock(graph)
      graph = next
      lock(graph)
    }
    context.pointee.seen.graph = UInt(bitPattern: graph)
    return graph
  }
  @inline(__always)
  static func withOwn<R>(_ context: ContextPointer, _ body: (inout Graph) -> R) -> R {
    let graph = takeOwn(context)
    defer { unlock(graph) }
    return body(&graph.pointee)
  }

  // MARK: Membership

  @inline(__always)
  var isMerged: Bool { mergedInto.load(ordering: .relaxed) != 0 }
  private var successor: GraphPointer? { GraphPointer(bitPattern: mergedInto.load(ordering: .acquiring)) }

  /// As far as can be seen without a lock; nil where the node is alone.
  static func root(of node: NodePointer) -> GraphPointer? {
    let word = node.pointee.graph.load(ordering: .acquiring)
    guard word > 1, var graph = GraphPointer(bitPattern: word) else { return nil }
    while let next = graph.pointee.successor { graph = next }
    return graph
  }
  /// Of the graph that one which was found under a lock has become. If its memory is used again, of some other.
  static func withRoot<R>(of first: GraphPointer, _ body: (inout Graph) -> R) -> R {
    var graph = first
    lock(graph)
    while let next = graph.pointee.successor {
      unlock(graph)
      graph = next
      lock(graph)
    }
    defer { unlock(graph) }
    return body(&graph.pointee)
  }
  /// Another reference to a node.
  static func retain(_ node: NodePointer) {
    let graph = take(of: node)
    node.pointee.references &+= 1
    giveBack(graph, of: node)
  }

  /// Under the lock of the graph: whether the node is in it. Then its word names it from now on.
  @inline(never)
  mutating func claim(_ node: NodePointer) -> Bool {
    let word = node.pointee.graph.load(ordering: .acquiring)
    if word == identity { return !isMerged }
    guard word > 1, !isMerged, let named = GraphPointer(bitPattern: word) else { return false }
    var graph = named
    while let next = graph.pointee.successor { graph = next }
    guard UInt(bitPattern: graph) == identity else { return false }
    node.pointee.graph.store(identity, ordering: .releasing)
    members += 1
    leave(named)
    return true
  }
  /// A node that is alone comes to be in it. False if it is not alone.
  mutating func adopt(_ node: NodePointer) -> Bool {
    guard Node.takeAlone(node) else { return false }
    members += 1
    weight &+= 1
    if let newest = node.pointee.latest, !node.pointee.isUnknown { epoch = max(epoch, newest.pointee.validFrom) }
    Node.giveBackAlone(node, to: identity)
    return true
  }
  /// The node was destroyed.
  mutating func leave(_ node: NodePointer) {
    leave(GraphPointer(bitPattern: node.pointee.graph.load(ordering: .relaxed)).unsafelyUnwrapped)
  }
  /// One that named `graph`, which is this one or was merged into it, does so no longer.
  mutating func leave(_ graph: GraphPointer?) {
    var left = graph
    while let graph = left {
      if UInt(bitPattern: graph) == identity {
        members -= 1
        return
      }
      graph.pointee.members -= 1
      if graph.pointee.members > 0 { return }
      left = graph.pointee.successor
      keep(Retired.make(graph: graph))
    }
  }

  // MARK: Placing

  /// Sees to it that a node is in some graph.
  @inline(never)
  static func place(_ node: NodePointer) {
    if node.pointee.graph.load(ordering: .relaxed) > 1 { return }
    let context = Context.current
    let graph = context.pointee.memory.graphs.take()
    lock(graph)
    graph.pointee.isFree = false
    graph.pointee.thread = UInt(bitPattern: context)
    let isDone = graph.pointee.adopt(node)
    unlock(graph)
    if !isDone { context.pointee.memory.graphs.giveBack(graph) }
  }

  /// The lock of the graph of a node, which is placed in one if it is alone.
  @inline(never)
  static func takePlaced(of node: NodePointer) -> GraphPointer {
    while true {
      if let graph = take(of: node) { return graph }
      Node.giveBackAlone(node)
      place(node)
    }
  }
  @inline(__always)
  static func with<R>(_ node: NodePointer, _ body: (inout Graph) -> R) -> R {
    let graph = takePlaced(of: node)
    defer { unlock(graph) }
    return body(&graph.pointee)
  }
}
