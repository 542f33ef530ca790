import Synchronization

// Finds and locks the graph of a node. The node's word names that graph, or a graph that was merged into it. The word is written
// under the graph's lock.
//
// Reusing the memory of a graph is safe. A graph is reused when no node, list or other graph names it, and after the pins of that
// moment have ended. A thread that read its address earlier, and takes its lock late, then finds that the node's word does not lead
// to it.
extension Graph {
  // MARK: Locking

  /// Takes the lock that orders accesses to a node: the lock of its graph or, if the node is alone, its own. Returns nil if it is
  /// alone.
  @inline(never)
  static func take(of node: NodePointer) -> GraphPointer? { takeQuickly(of: node) }
  /// The same for `set`, inlined. Inlined everywhere, it made a small program 10 KB larger.
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
      // Check `isMerged` before `claim`: the `members` of a merged graph are protected by the lock of another graph.
      if !root.pointee.isMerged, root.pointee.claim(node) { return root }
      unlock(root)
    }
  }
  @inline(never)
  static func giveBack(_ graph: GraphPointer?, of node: NodePointer) {
    if let graph { unlock(graph) } else { Node.giveBackAlone(node) }
  }

  /// Takes the lock of the graph in which this thread is pinned.
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

  /// The graph of a node, as far as can be seen without a lock; nil if the node is alone.
  static func root(of node: NodePointer) -> GraphPointer? {
    let word = node.pointee.graph.load(ordering: .acquiring)
    guard word > 1, var graph = GraphPointer(bitPattern: word) else { return nil }
    while let next = graph.pointee.successor { graph = next }
    return graph
  }
  /// Runs `body` under the lock of the graph that `first`, which was found under a lock, has become by merging. If the memory of
  /// `first` was reused, that is some other graph.
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
  /// Adds a reference to a node.
  static func retain(_ node: NodePointer) {
    let graph = take(of: node)
    node.pointee.references &+= 1
    giveBack(graph, of: node)
  }

  /// Whether the node is in this graph. If so, the node's word names this graph from now on. Call under the graph's lock.
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
  /// Adds a node that is alone to this graph. False if the node is not alone.
  mutating func adopt(_ node: NodePointer) -> Bool {
    guard Node.takeAlone(node) else { return false }
    members += 1
    weight &+= 1
    if let newest = node.pointee.latest, !node.pointee.isUnknown { epoch = max(epoch, newest.pointee.validFrom) }
    Node.giveBackAlone(node, to: identity)
    return true
  }
  /// Removes a node that nothing refers to any more.
  mutating func leave(_ node: NodePointer) {
    leave(GraphPointer(bitPattern: node.pointee.graph.load(ordering: .relaxed)).unsafelyUnwrapped)
  }
  /// Counts one member less of `graph`, which is this graph or was merged into it.
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

  /// Puts a node that is alone into a graph.
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

  /// Takes the lock of the graph of a node. A node that is alone is placed in a graph first.
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
