import Synchronization

// Final values: those that never change again. Their handlers end like those of an event that has finished.
//
// A source is final when its `Observed` has been deinitialized, because no one can write it any more. A derived value is final when it
// is valid and everything that its last computation read is final. Both are decided under the lock, whenever they may have become
// true: when a source or a dependency becomes final, and when a value that reads a final one, or nothing, is published.
extension Graph {
  /// Makes a source and its replicas final.
  @_optimize(size)
  static func makeFinal(_ source: NodePointer, _ context: ContextPointer) {
    let graph = take(of: source)
    source.pointee.becomeFinal()
    if let graph { graph.pointee.settleDependents(of: source, context) }
    // A replica that is made later is final from the beginning.
    let graphs = source.pointee.isReplicated ? source.replicas?.graphs() : nil
    giveBack(graph, of: source)
    guard let graphs else { return }
    for index in 0..<graphs.count {
      withRoot(of: graphs[index]) { $0.makeReplicasFinal(of: source, context) }
    }
    graphs.free()
  }
  @_optimize(size)
  private mutating func makeReplicasFinal(of source: NodePointer, _ context: ContextPointer) {
    for index in 0..<replicas.count where replicas[index].pointee.body.toOpaque() == source.pointee.body.toOpaque() {
      let replica = replicas[index]
      replica.pointee.becomeFinal()
      settleDependents(of: replica, context)
    }
  }

  /// Decides whether a node flagged as `mayBeFinal` is final, and whether its handlers end.
  ///
  /// - Parameter isNotified: Its handlers have just been notified, or the change was rejected as a cycle.
  @inline(never)
  @_optimize(size)
  mutating func settleFinality(of node: NodePointer, isNotified: Bool, _ context: ContextPointer) {
    settle(node, after: nil, isNotified: isNotified, context)
    settlePending(context)
  }
  private mutating func settleDependents(of node: NodePointer, _ context: ContextPointer) {
    if let subs = node.pointee.subs { pendingInvalidation.push(subs) }
    settlePending(context)
  }
  @_optimize(size)
  private mutating func settlePending(_ context: ContextPointer) {
    while !pendingInvalidation.isEmpty {
      var next: LinkPointer? = pendingInvalidation.pop()
      while let link = next {
        next = link.pointee.nextSub
        let sub = link.pointee.sub
        if isProbe(sub) {
          invalidate(probe: sub, context)
        } else {
          sub.pointee.flags |= Node.mayBeFinal
          settle(sub, after: link, isNotified: false, context)
        }
      }
    }
  }

  /// - Parameter link: The link from the dependency that has just become final, if that is known.
  @_optimize(size)
  private mutating func settle(
    _ node: NodePointer, after link: LinkPointer?, isNotified: Bool, _ context: ContextPointer
  ) {
    if !node.pointee.isFinal {
      // The next publication decides.
      if node.pointee.has(Node.stale | Node.incomplete) || node.pointee.isUnknown { return }
      node.pointee.flags &= ~Node.mayBeFinal
      guard readOnlyFinal(node, after: link), !isProbe(node) else { return }
      node.pointee.becomeFinal()
      if let subs = node.pointee.subs { pendingInvalidation.push(subs) }
    }
    if !node.pointee.has(Node.watched) { return }
    if node.pointee.has(Node.queued) {
      node.pointee.flags |= Node.mayBeFinal
    } else if !isNotified, node.pointee.notifiedNumber != node.pointee.latest.unsafelyUnwrapped.pointee.number {
      node.pointee.flags |= Node.mayBeFinal
      enqueue(node, context)
    } else {
      node.pointee.flags &= ~Node.mayBeFinal
      DeferredDestruction.add(Retired.make(handlers: node.pointee.list.unsafelyUnwrapped), context)
    }
  }
  /// Whether everything that the last computation of a node read is final.
  ///
  /// The first dependency, and those after the one that has just become final, come first: of many that become final one after the
  /// other, in the order of reading or in reverse, each then takes one look.
  @_optimize(size)
  private func readOnlyFinal(_ node: NodePointer, after link: LinkPointer?) -> Bool {
    guard let first = node.pointee.deps else { return true }
    return first.pointee.dep.pointee.isFinal && areFinal(after: link) && areFinal(after: first)
  }
  private func areFinal(after link: LinkPointer?) -> Bool {
    var next = link?.pointee.nextDep
    while let at = next {
      if !at.pointee.dep.pointee.isFinal { return false }
      next = at.pointee.nextDep
    }
    return true
  }
  private func isProbe(_ node: NodePointer) -> Bool { node.pointee.body._withUnsafeGuaranteedRef { $0.isProbe } }
  /// Notifies the handler of a probe that the consumer is to take the last value, or to find out that it has taken it.
  @_optimize(size)
  private func invalidate(probe: NodePointer, _ context: ContextPointer) {
    if probe.pointee.has(Node.stale) { return }
    probe.pointee.flags |= Node.stale
    probe.pointee.latest.unsafelyUnwrapped.pointee.validUntil.store(epoch, ordering: .relaxed)
    if probe.pointee.flags & (Node.watched | Node.queued) == Node.watched { enqueue(probe, context) }
  }
}
