/// Notifies the handlers of derived values, beginning in the locked region of the commit, if the source has no handlers to be
/// notified first. Else it does nothing and returns false. bench: diamond 1-2-1, −10 % instructions
///
/// All pending nodes must be in this graph: a `deinit` may set a source of another graph while notifications of its thread are
/// pending. It notifies only if `Context.drain` would notify, so not between the notifications of other sources.
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
