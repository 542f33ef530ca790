import Synchronization

// Merges graphs if a computation in one reads a node of the other, or a transaction writes in both. Graphs are never split.
//
// Locks of two graphs are taken in the order of their addresses. The lock of a node that is alone is taken after the lock of a
// graph.
extension Graph {
  /// Ensures that a node which a pinned thread is about to read is in the graph of the pin. Every later commit to the node is then
  /// later than the pin.
  ///
  /// - Returns: The node that is to be read: the given node, or its replica in that graph.
  @inline(__always)
  static func cover(_ node: NodePointer, _ context: ContextPointer) -> NodePointer {
    if _fastPath(node.pointee.graph.load(ordering: .acquiring) == context.pointee.seen.graph) { return node }
    return coverSlowly(node, context)
  }
  @inline(never)
  private static func coverSlowly(_ node: NodePointer, _ context: ContextPointer) -> NodePointer {
    while true {
      let own = takeOwn(context)
      let covered = own.pointee.standIn(for: node)
      unlock(own)
      if let covered { return covered }
      guard let other = root(of: node) else { continue }
      if !node.pointee.isSource {
        merge(own, other)
        continue
      }
      switch replicate(node, of: other, in: own, context) {
      case .made(let replica): return replica
      case .again: continue
      case .merge(let graph): merge(own, graph)
      }
    }
  }
  /// The node itself if it is in this graph or joins it now, or its replica in this graph; else nil. A known replica is found
  /// before the graph of the source is read, which is in a cache line that another thread writes. `contention: cores: own chain of
  /// 10 on one shared source`.
  private mutating func standIn(for node: NodePointer) -> NodePointer? {
    if node.pointee.isSource, node.pointee.graph.load(ordering: .acquiring) != identity, let known = replica(of: node) {
      return known
    }
    return claim(node) || adopt(node) ? node : nil
  }
  /// Takes the lock of the one graph of two nodes, after merging their graphs if necessary.
  static func takeMerging(_ one: NodePointer, _ other: NodePointer) -> GraphPointer {
    take(with: one) { $0.has(other) ? nil : other }
  }
  /// - Parameter stray: Returns a node that must be in the graph, too, but is in a different one; nil if there is none.
  @inline(__always)
  static func take(with first: NodePointer, _ stray: (inout Graph) -> NodePointer?) -> GraphPointer {
    while true {
      let graph = takePlaced(of: first)
      guard let node = stray(&graph.pointee) else { return graph }
      unlock(graph)
      if let other = root(of: node) { merge(graph, other) }
    }
  }
  /// Whether a node is in this graph. A node that is alone joins it.
  @inline(__always)
  mutating func has(_ node: NodePointer) -> Bool {
    node.pointee.graph.load(ordering: .acquiring) == identity || claim(node) || adopt(node)
  }

  /// Merges two graphs that a thread has found. If one of them has been merged meanwhile, it does nothing, and the thread looks
  /// again. Something that lasts names both graphs, or named them when the thread found them. Merging two graphs that have been
  /// given back does no harm.
  @inline(never)
  static func merge(_ one: GraphPointer, _ other: GraphPointer) {
    if one == other { return }
    lockBoth(one, other)
    if !one.pointee.isMerged, !other.pointee.isMerged, one.pointee.members > 0, other.pointee.members > 0 {
      if one.pointee.weight >= other.pointee.weight {
        one.pointee.takeIn(other)
      } else {
        other.pointee.takeIn(one)
      }
    }
    unlockBoth(one, other)
  }
  static func lockBoth(_ one: GraphPointer, _ other: GraphPointer) {
    lock(min(one, other))
    if one != other { lock(max(one, other)) }
  }
  static func unlockBoth(_ one: GraphPointer, _ other: GraphPointer) {
    if one != other { unlock(max(one, other)) }
    unlock(min(one, other))
  }
  private mutating func takeIn(_ other: GraphPointer) {
    epoch = max(epoch, other.pointee.epoch)
    stamp = max(stamp, other.pointee.stamp)
    takePins(of: other)
    takeRetired(of: other)
    while !other.pointee.aged.isEmpty { aged.push(other.pointee.aged.pop()) }
    while !other.pointee.replicas.isEmpty { replicas.push(other.pointee.replicas.pop()) }
    members += 1
    weight &+= other.pointee.weight
    other.pointee.mergedInto.store(identity, ordering: .releasing)
  }
}
