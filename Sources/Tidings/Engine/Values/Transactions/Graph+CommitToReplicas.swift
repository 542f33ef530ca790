import Synchronization

// Commits to a source that has replicas in other graphs write all of them together.
extension Graph {
  /// Commits under the locks of all graphs. A thread that reads the new value without a lock finds its dependents stale, in
  /// whatever graph they are.
  @inline(never)
  @_optimize(size)
  static func commitToAll(
    _ fresh: VersionPointer, to source: NodePointer, expecting expected: UInt?, depth: Int, isClaimed: Bool,
    _ context: ContextPointer
  ) -> Commit {
    var all = ReplicatedSource(locking: source)
    if let expected, source.pointee.latest.unsafelyUnwrapped.pointee.number != expected {
      all.unlock()
      return Commit(.moved)
    }
    if depth <= 1 {
      source.pointee.flags &= ~Node.rejected
    } else if let rejection = Graph.rejection(of: source, depth, context) {
      all.unlock()
      return Commit(rejection)
    }
    all.advance()
    var commit = all.commit(fresh, depth: depth, isClaimed: isClaimed, context)
    let (retired, idle) = (all.collect(for: context), all.idleGraphs())
    commit.hasMore = !context.pointee.notifications.isEmpty || retired != nil
    if depth > 1 { endDeepening(context) }
    all.unlock()
    // Destroy the values after the handlers have been notified, because the destruction runs user code.
    if retired != nil { DeferredDestruction.add(retired, context) }
    merge(idle, with: source)
    return commit
  }

  // MARK: In a transaction

  /// Invalidates the dependents of replicas. The transaction has merged the graphs of the replicas with that of the source.
  @inline(never)
  @_optimize(size)
  mutating func invalidateReplicas(of writes: RawStack<PendingWritePointer>) {
    for index in 0..<writes.count where writes[index].pointee.fresh != nil {
      guard let nodes = writes[index].pointee.node.replicas?.copy() else { continue }
      for place in 0..<nodes.count {
        if let subs = nodes[place].pointee.subs { pendingInvalidation.push(subs) }
      }
      nodes.free()
    }
  }
  /// Writes the replicas one after the other. A thread reads a replica without the lock only at the snapshot of its pin.
  @inline(never)
  @_optimize(size)
  mutating func putCopies(_ writes: RawStack<PendingWritePointer>, _ depth: Int, _ context: ContextPointer) {
    for index in 0..<writes.count {
      guard let fresh = writes[index].pointee.fresh, let nodes = writes[index].pointee.node.replicas?.copy() else {
        continue
      }
      if nodes.isEmpty { Graph.endReplication(of: writes[index].pointee.node) }
      for place in 0..<nodes.count {
        beginWriting(nodes[place])
        putCopy(of: fresh, in: nodes[place], depth: depth, context)
        nodes[place].pointee.endWriting()
      }
      nodes.free()
    }
  }

  /// Ends the replication of a source that has no replica any more. A write of the source then needs no more than before there was
  /// one.
  @_optimize(size)
  fileprivate static func endReplication(of source: NodePointer) {
    source.pointee.flags &= ~Node.replicated
    source.pointee.isCautious.store(
      source.pointee.has(Node.cautious) || source.pointee.reservation.load(ordering: .relaxed) != 0, ordering: .relaxed)
  }

  // MARK: Steps, out of line

  @inline(never)
  fileprivate mutating func beginWriting(_ node: NodePointer) {
    prepare(node)
    node.pointee.beginWriting()
  }
  @inline(never)
  fileprivate mutating func putNow(
    _ fresh: VersionPointer, in node: NodePointer, depth: Int, isClaimed: Bool, _ context: ContextPointer
  ) -> Commit {
    put(fresh, in: node, depth: depth, isClaimed: isClaimed, context)
  }
  /// Stores a copy in a replica. The old value is destroyed outside the lock.
  @inline(never)
  @_optimize(size)
  fileprivate mutating func putCopy(
    of fresh: VersionPointer, in replica: NodePointer, depth: Int, _ context: ContextPointer
  ) {
    let copy = Graph.copy(of: fresh, in: replica)
    guard let old = putNow(copy, in: replica, depth: depth, isClaimed: false, context).old else { return }
    if replica.pointee.isPlain { return UnsafeMutableRawPointer(old).deallocate() }
    unseen = Retired.chain(Retired.make(versions: old, of: replica, depth: depth), before: unseen)
  }
}

/// A source, its replicas, and the graphs of all, locked in the order of their addresses.
private struct ReplicatedSource {
  private let source: NodePointer
  private let replicas: Replicas
  /// The replicas, and the source itself at the end.
  private var nodes = RawStack<NodePointer>()
  private var graphs = RawStack<GraphPointer>()

  init(locking source: NodePointer) {
    self.source = source
    replicas = source.replicas.unsafelyUnwrapped
    while !lock() {}
  }
  /// Locks all graphs. False if a graph was merged, or a replica made or retired, meanwhile.
  @_optimize(size)
  private mutating func lock() -> Bool {
    graphs = currentGraphs()
    for index in 0..<graphs.count { Graph.lock(graphs[index]) }
    // Copy the nodes last: a node whose graph is not locked may be destroyed at any time.
    let again = currentGraphs()
    defer { again.free() }
    if graphs.count == again.count, (0..<graphs.count).allSatisfy({ graphs[$0] == again[$0] }) {
      nodes = replicas.copy()
      nodes.push(source)
      return true
    }
    for index in 0..<graphs.count { Graph.unlock(graphs[index]) }
    graphs.free()
    return false
  }
  /// The graphs of the source and its replicas, in the order of their addresses.
  @_optimize(size)
  private func currentGraphs() -> RawStack<GraphPointer> {
    var ordered = RawStack<GraphPointer>()
    let found = replicas.graphs()
    Self.add(Graph.root(of: source).unsafelyUnwrapped, to: &ordered)
    for index in 0..<found.count { Self.add(found[index], to: &ordered) }
    found.free()
    return ordered
  }
  @_optimize(size)
  private static func add(_ graph: GraphPointer, to graphs: inout RawStack<GraphPointer>) {
    if (0..<graphs.count).contains(where: { graphs[$0] == graph }) { return }
    graphs.push(graph)
    var place = graphs.count - 1
    while place > 0, graphs[place - 1] > graph {
      graphs[place] = graphs[place - 1]
      place -= 1
    }
    graphs[place] = graph
  }
  @_optimize(size)
  mutating func unlock() {
    if nodes.count == 1 { Graph.endReplication(of: source) }
    for index in 0..<graphs.count { Graph.unlock(graphs[index]) }
    graphs.free()
    nodes.free()
  }
  private func graph(of node: NodePointer) -> GraphPointer { Graph.root(of: node).unsafelyUnwrapped }

  // MARK: Steps of a commit

  /// Advances all graphs to one stamp, which is later than every pin in any of the graphs.
  @_optimize(size)
  func advance() {
    var stamp: UInt = 0
    for index in 0..<graphs.count {
      graphs[index].pointee.advance()
      stamp = max(stamp, graphs[index].pointee.epoch)
    }
    for index in 0..<graphs.count { graphs[index].pointee.epoch = stamp }
  }
  @_optimize(size)
  func commit(_ fresh: VersionPointer, depth: Int, isClaimed: Bool, _ context: ContextPointer) -> Commit {
    for index in 0..<nodes.count { graph(of: nodes[index]).pointee.invalidate(nodes[index], context) }
    for index in 0..<nodes.count { graph(of: nodes[index]).pointee.beginWriting(nodes[index]) }
    for index in 0..<nodes.count - 1 {
      graph(of: nodes[index]).pointee.putCopy(of: fresh, in: nodes[index], depth: depth, context)
    }
    let commit = graph(of: source).pointee.putNow(fresh, in: source, depth: depth, isClaimed: isClaimed, context)
    for index in 0..<nodes.count { nodes[index].pointee.endWriting() }
    return commit
  }
  @_optimize(size)
  func collect(for context: ContextPointer) -> RetiredPointer? {
    var retired: RetiredPointer?
    for index in 0..<graphs.count where graphs[index].pointee.hasRetired {
      retired = Retired.chain(retired, before: graphs[index].pointee.collect(for: context))
    }
    return retired
  }
  /// The graphs that need no separate lock. The graph of a replica needs none if fewer than eight pins came to it between two
  /// commits, three times in a row. It also needs none if the thread that uses it uses the graph of the source, too.
  @_optimize(size)
  func idleGraphs() -> RawStack<GraphPointer> {
    var idle = RawStack<GraphPointer>()
    let thread = graph(of: source).pointee.thread
    for index in 0..<nodes.count - 1 {
      let (node, graph) = (nodes[index], graph(of: nodes[index]))
      let isIdle = graph.pointee.pins &- node.pointee.pinsAtCommit < 8
      node.pointee.idleCommits = isIdle ? node.pointee.idleCommits &+ 1 : 0
      node.pointee.pinsAtCommit = graph.pointee.pins
      if node.pointee.idleCommits == 3 || graph.pointee.thread == thread { idle.push(graph) }
    }
    return idle
  }
}
