/// Where the source has no handlers of its own to be notified first, the locked region of the commit begins with the others,
/// and these are notified; else false, and nothing has been done. bench: diamond 1-2-1, −10 % instructions
@inline(__always)
func notifyInSameRegion(
  after commit: inout Commit, unlocking graph: GraphPointer, _ context: ContextPointer, _ here: (any Actor)?
) -> Bool {
  guard takesFastPaths, commit.claim == nil, !context.pointee.notifications.isEmpty,
    !context.pointee.notifications.isMixed
  else { return false }
  var batch = context.pointee.notifications.takeBatch(depth: 1)
  let step = graph.pointee.begin(&batch, context)
  Graph.unlock(graph)
  Context.notify(&batch, from: step, context, here)
  commit.hasMore = !commit.isDone || context.pointee.notifications.isPending
  return true
}
