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
/// Commits to a source of which another thread has made a replica since the caller checked.
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
/// Commits an update, unless the version of the source differs by now, or handlers are to be notified before the change.
@usableFromInline @inline(never)
func commitUpdate(
  _ fresh: VersionPointer, to node: NodePointer, of number: UInt, _ context: ContextPointer
) -> Commit {
  // Such handlers may have been added since the closure began. Then the closure runs again, and the handlers are notified before
  // the change.
  if _slowPath(node.pointee.isCautious.load(ordering: .relaxed)), isUpdatedWithCare(node) { return Commit(.moved) }
  var commit = commitLocking(
    fresh, to: node, expecting: number, depth: CausalFrame.causalDepth(context), isClaimed: false, context)
  giveBackOld(of: &commit, node, context)
  return commit
}
/// Whether the source is cautious for a reason other than replicas. Replicas do not matter: a thread that makes one only reads the
/// value, and the commit writes all of them.
@inline(never)
private func isUpdatedWithCare(_ node: NodePointer) -> Bool {
  let graph = Graph.take(of: node)
  defer { Graph.giveBack(graph, of: node) }
  return node.pointee.has(Node.cautious) || node.pointee.reservation.load(ordering: .relaxed) != 0
}
/// Commits to a source that is alone and whose lock the caller holds.
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
/// Rechecks the kept copies after the handlers have been notified, because the destruction of values runs user code.
@inline(never)
private func recheckKeptCopies(_ context: ContextPointer) {
  DeferredDestruction.add(Retired.makeRecheck(), context)
}
/// Commits under the lock that orders accesses to the source: its own, or those of its graph and of all graphs with replicas.
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
/// Commits in a handler. The enqueued nodes are left to the outermost notification of this thread, because derived values are
/// notified after all sources.
@inline(never)
private func commitNested(
  _ fresh: VersionPointer, to node: NodePointer, _ depth: Int, _ context: ContextPointer, _ here: (any Actor)?
) -> Commit {
  var commit = commitLocking(fresh, to: node, expecting: nil, depth: depth, isClaimed: false, context)
  giveBackOld(of: &commit, node, context)
  return commit
}
/// Takes back an old value that needs no destruction, instead of passing it to the client and back.
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
/// Does the work that a commit has left, except for notifying the source's own handlers.
@usableFromInline
func finishCommit(_ commit: Commit, of node: NodePointer, _ context: ContextPointer, _ here: (any Actor)?) {
  if commit.outcome.isToBeReported {
    node.pointee.body._withUnsafeGuaranteedRef {
      Diagnostics.reportCycle(through: $0, depth: CausalFrame.causalDepth(context))
    }
  }
  let isEmpty = context.pointee.notifications.isEmpty
  if context.pointee.notifications.isPending { Context.drain(context, here) }
  if isEmpty, commit.hasMore {
    Retired.destroy(Graph.with(node) { $0.collect(for: context) }, context)
  }
}
