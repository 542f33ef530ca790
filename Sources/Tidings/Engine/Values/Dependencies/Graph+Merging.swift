import Synchronization

// How graphs become one: where a computation in one reads a node of the other, or a transaction writes in both. Graphs are merged,
// never split.
//
// Locks of two graphs are taken in the order of their addresses, and that of a node that is alone after that of a graph.
extension Graph {
  /// For a pinned thread that is about to read a node: the node joins the graph of the pin. Every later commit to it then is
  /// later than the pin.
  @inline(__always)
  static func cover(_ node: NodePointer, _ context: ContextPointer) {
    if _slowPath(node.pointee.graph.load(ordering: .acquiring) != context.pointee.seen.graph) {
      coverSlowly(node, context)
    }
  }
  @inline(never)
  private static func coverSlowly(_ node: NodePointer, _ context: ContextPointer) {
    while true {
      let own = takeOwn(context)
      let isDone = own.pointee.claim(node) || own.pointee.adopt(node)
      unlock(own)
      if isDone { return }
      if let other = root(of: node) { merge(own, other) }
    }
  }
  /// The same for two nodes.
  static func takeMerging(_ one: NodePointer, _ other: NodePointer) -> GraphPointer {
    take(with: one) { $0.has(other) ? nil : other }
  }
  /// - Parameter stray: Returns a node that is to be in the graph too, and is in another.
  @inline(__always)
  static func take(with first: NodePointer, _ stray: (inout Graph) -> NodePointer?) -> GraphPointer {
    while true {
      let graph = takePlaced(of: first)
      guard let node = stray(&graph.pointee) else { return graph }
      unlock(graph)
      if let other = root(of: node) { merge(graph, other) }
    }
  }
  /// Whether a node is in it, or comes to be.
  @inline(__always)
  mutating func has(_ node: NodePointer) -> Bool {
    node.pointee.graph.load(ordering: .acquiring) == identity || claim(node) || adopt(node)
  }

  /// Of two that a thread has found, one takes the other in, unless one of them has been merged meanwhile: then the thread looks
  /// again. Both are named by something that lasts, or were when the thread found them; to merge two that have been given back
  /// does no harm.
  @inline(never)
  private static func merge(_ one: GraphPointer, _ other: GraphPointer) {
    if one == other { return }
    let (first, second) = one < other ? (one, other) : (other, one)
    lock(first)
    lock(second)
    if !first.pointee.isMerged, !second.pointee.isMerged, first.pointee.members > 0, second.pointee.members > 0 {
      if first.pointee.weight >= second.pointee.weight {
        first.pointee.takeIn(second)
      } else {
        second.pointee.takeIn(first)
      }
    }
    unlock(second)
    unlock(first)
  }
  private mutating func takeIn(_ other: GraphPointer) {
    epoch = max(epoch, other.pointee.epoch)
    stamp = max(stamp, other.pointee.stamp)
    takePins(of: other)
    takeRetired(of: other)
    while !other.pointee.aged.isEmpty { aged.push(other.pointee.aged.pop()) }
    members += 1
    weight &+= other.pointee.weight
    other.pointee.mergedInto.store(identity, ordering: .releasing)
  }
}
