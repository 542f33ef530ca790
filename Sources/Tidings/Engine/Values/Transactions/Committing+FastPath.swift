/// Where the source has no handlers of its own to be notified first, the locked region of the commit begins with the others,
/// and these are notified; else false, and nothing has been done. bench: diamond 1-2-1, −10 % instructions
///
/// Only where all that is pending is in this graph: a `deinit` may set a source of another one while notifications of its thread
/// are pending. And only where `Context.drain` would notify: not between the notifications of other sources.
@inline(__always)
func notifyInSameRegion(
  after commit: inout Commit, unlocking graph: GraphPointer, _ context: ContextPointer, _ here: (any Actor)?
) -> Bool {
  guard takesFastPaths, commit.claim == nil, !context.pointee.notifications.isEmpty,
    context.pointee.notifications.isOnly(of: graph.pointee.name), context.pointee.seen.notifying == 0
  else { return false }
  var batch = context.pointee.notifications.takeBatch(depth: 1)
  let step = graph.pointee.begin(&batch, context)
  Graph.unlock(graph)
  Context.notify(&batch, from: step, context, here)
  commit.hasMore = !commit.isDone || context.pointee.notifications.isPending
  return true
}
