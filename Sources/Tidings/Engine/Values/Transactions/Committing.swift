// How a new version of a source is committed, without the type of its value.
import Synchronization

@usableFromInline
func commitNow(
  _ fresh: VersionPointer, to node: NodePointer, _ context: ContextPointer, _ here: (any Actor)?
) -> Commit {
  let depth = CausalFrame.causalDepth(context)
  if _slowPath(depth > 1) { return commitNested(fresh, to: node, depth, context, here) }
  Announcement.prepare(context.pointee.announcement)
  guard let graph = Graph.takeQuickly(of: node) else { return commitAlone(fresh, to: node, depth: 1, context) }
  if _slowPath(node.pointee.has(Node.replicated)) { return commitToAll(fresh, to: node, unlocking: graph, context) }
  var commit = graph.pointee.commit(fresh, to: node, depth: 1, context)
  if !notifyInSameRegion(after: &commit, unlocking: graph, context, here) {
    Graph.unlock(graph)
    let isKeptFor = Announcement.retractPrepared(context.pointee.announcement)
    if _slowPath(isKeptFor) {
      commit.hasMore = true
      recheckKeptCopies(context)
    }
  }
  giveBackOld(of: &commit, node, context)
  return commit
}
/// To a source that another thread has come to read in a graph of its own since it was looked at.
@inline(never)
private func commitToAll(
  _ fresh: VersionPointer, to node: NodePointer, unlocking graph: GraphPointer, _ context: ContextPointer
) -> Commit {
  Graph.unlock(graph)
  let isKeptFor = Announcement.retractPrepared(context.pointee.announcement)
  var commit = commitLocking(fresh, to: node, expecting: nil, depth: 1, isClaimed: false, context)
  if isKeptFor {
    commit.hasMore = true
    recheckKeptCopies(context)
  }
  giveBackOld(of: &commit, node, context)
  return commit
}
/// Unless the source has another version by now, or its handlers are to be notified before the change.
@usableFromInline @inline(never)
func commitUpdate(
  _ fresh: VersionPointer, to node: NodePointer, of number: UInt, _ context: ContextPointer
) -> Commit {
  // They may have been added since the closure began: then it is run again, and the handlers are notified before the change.
  if _slowPath(node.pointee.isCautious.load(ordering: .relaxed)), isUpdatedWithCare(node) { return Commit(.moved) }
  var commit = commitLocking(
    fresh, to: node, expecting: number, depth: CausalFrame.causalDepth(context), isClaimed: false, context)
  giveBackOld(of: &commit, node, context)
  return commit
}
/// Whether there is a reason beside replicas: another thread that makes one only reads the value, and the commit writes them all.
@inline(never)
private func isUpdatedWithCare(_ node: NodePointer) -> Bool {
  let graph = Graph.take(of: node)
  defer { Graph.giveBack(graph, of: node) }
  return node.pointee.has(Node.cautious) || node.pointee.reservation.load(ordering: .relaxed) != 0
}
/// To a source that was alone when it was looked at.
@inline(never)
private func commitAlone(
  _ fresh: VersionPointer, to node: NodePointer, depth: Int, _ context: ContextPointer
) -> Commit {
  var commit = Graph.commitToLoneSource(fresh, to: node, depth: depth, context)
  Node.giveBackAlone(node)
  let isKeptFor = Announcement.retractPrepared(context.pointee.announcement)
  if commit == nil {
    Graph.place(node)
    commit = commitLocking(fresh, to: node, expecting: nil, depth: depth, isClaimed: false, context)
  }
  if isKeptFor {
    commit!.hasMore = true
    recheckKeptCopies(context)
  }
  giveBackOld(of: &commit!, node, context)
  return commit!
}
/// When the handlers have been notified: what is destroyed then runs user code.
@inline(never)
private func recheckKeptCopies(_ context: ContextPointer) {
  DeferredDestruction.add(Retired.makeRecheck(), context)
}
/// Under the lock that orders accesses to the source, whichever that is.
func commitLocking(
  _ fresh: VersionPointer, to node: NodePointer, expecting expected: UInt?, depth: Int, isClaimed: Bool,
  _ context: ContextPointer
) -> Commit {
  while true {
    if let graph = Graph.take(of: node) {
      if _fastPath(!node.pointee.has(Node.replicated)) {
        defer { Graph.unlock(graph) }
        return graph.pointee.commit(
          fresh, to: node, expecting: expected, depth: depth, isClaimed: isClaimed, context)
      }
      Graph.unlock(graph)
      return Graph.commitToAll(
        fresh, to: node, expecting: expected, depth: depth, isClaimed: isClaimed, context)
    }
    let commit = Graph.commitToLoneSource(fresh, to: node, expecting: expected, depth: depth, context)
    Node.giveBackAlone(node)
    if let commit { return commit }
    Graph.place(node)
  }
}
/// In a handler: what is enqueued is left to the outermost notification of this thread, as derived values follow all sources.
@inline(never)
private func commitNested(
  _ fresh: VersionPointer, to node: NodePointer, _ depth: Int, _ context: ContextPointer, _ here: (any Actor)?
) -> Commit {
  var commit = commitLocking(fresh, to: node, expecting: nil, depth: depth, isClaimed: false, context)
  giveBackOld(of: &commit, node, context)
  return commit
}
/// What needs no destruction is not handed to the client to be handed back.
@inline(__always)
private func giveBackOld(of commit: inout Commit, _ node: NodePointer, _ context: ContextPointer) {
  guard commit.claim == nil, let old = commit.old else { return }
  if old == context.pointee.scratch {
    commit.old = nil
  } else if node.pointee.isPlain {
    commit.old = nil
    takeBack(old, of: node, context)
  }
}
/// Everything but the notifying of the source's own handlers.
@usableFromInline
func finishCommit(_ commit: Commit, of node: NodePointer, _ context: ContextPointer, _ here: (any Actor)?) {
  if commit.outcome.isToBeReported {
    node.pointee.body._withUnsafeGuaranteedRef {
      Diagnostics.reportCycle(through: $0, depth: CausalFrame.causalDepth(context))
    }
  }
  if !context.pointee.notifications.isEmpty {
    Context.drain(context, here)
  } else if commit.hasMore {
    Retired.destroy(Graph.with(node) { $0.collect(for: context) }, context)
  }
}
