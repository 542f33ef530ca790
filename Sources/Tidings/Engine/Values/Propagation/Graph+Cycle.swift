import Synchronization

// Values that read each other in a cycle. The value at which a thread enters the cycle keeps its previous result. The values that
// the thread then computes inside the cycle are right for that computation alone. No other computation receives them, so a thread
// that entered elsewhere cannot contradict them.
extension Graph {
  /// Whether a computation read a value of the cycle in which it runs.
  @inline(never)
  func isInCycle(_ run: Run, _ context: ContextPointer) -> Bool {
    var read = context.pointee.reads(from: run.reads)
    while read < context.pointee.seen.readEnd {
      if read.pointee.number >= Context.ofPin { return true }
      read += 1
    }
    return false
  }

  /// Keeps a result for the computations under way on this thread. For all other computations the node is unknown, so it is
  /// recomputed at the next read. Its links are still stored, so that a change of its dependencies invalidates its dependents.
  ///
  /// - Returns: The version that is to be destroyed.
  mutating func publishPrivately(_ run: Run, _ context: ContextPointer) -> VersionPointer? {
    let (node, snapshot) = (run.node, context.pointee.seen.snapshot)
    let newest = node.pointee.latest
    // If this fails, another thread has validated the node at this snapshot or a later one.
    if !node.pointee.has(Node.retired),
      newest.map({ node.pointee.isUnknown || $0.pointee.validUntil.load(ordering: .relaxed) <= snapshot }) ?? true
    {
      becomeUnknown(run, isLate: link(node, run.reads, context), context)
    }
    context.pointee.endReads(run.reads)
    var own = run.result
    if own == context.pointee.scratch {
      own = context.pointee.memory.takeVersion(for: node)
      Version.copyValue(run.result, to: own, of: node)
    }
    own.pointee.number = 0
    return context.pointee.remember(SnapshotOverlay.Entry(version: own, number: Context.ofPin), for: node)
  }

  private mutating func becomeUnknown(_ run: Run, isLate: Bool, _ context: ContextPointer) {
    let node = run.node
    let newest = node.pointee.latest
    var version = newest
    if let newest, !isAlone, isSeen(newest, except: context) { version = Graph.copy(of: newest, in: node) }
    if version == nil {
      // The node has no value yet. Store one, so that the next value can be compared with it.
      version = Graph.copy(of: run.result, in: node)
    }
    guard let version else { return }
    // Skip one number. No link or handler has recorded the new number, so every reader compares.
    version.pointee.number = (newest?.pointee.number ?? 0) &+ 2
    version.pointee.validFrom = Version.never
    version.pointee.validUntil.store(1, ordering: .relaxed)
    if version != newest {
      version.pointee.previous = newest
      node.pointee.latest = version
      if newest != nil { trim(node, depth: CausalFrame.currentDepth) }
    }
    node.pointee.generation &+= 1
    if isLate {
      invalidateLate(node, context)
      node.pointee.flags |= Node.stale | Node.lagging
    } else {
      node.pointee.flags &= ~(Node.stale | Node.lagging)
      // Its handlers still have to be notified of the value that it becomes.
      if node.pointee.has(Node.watched), !node.pointee.has(Node.queued) { enqueue(node, context) }
    }
  }

  /// Forgets the values computed inside a cycle, after `head` has kept its previous result. They are validated again at their next
  /// read.
  mutating func forgetPrivate(but head: NodePointer, _ context: ContextPointer) {
    for (node, version) in context.pointee.forgetPrivate(but: head) {
      keep(Retired.make(versions: version, of: node, depth: CausalFrame.currentDepth))
    }
  }
}
