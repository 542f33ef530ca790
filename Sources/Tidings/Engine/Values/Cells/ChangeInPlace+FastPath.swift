import Synchronization

/// Changes the newest value of a source where it is stored, if nothing else needs the old value. No handler, policy, pin or
/// transaction may need it. Otherwise the function does nothing and returns false.
///
/// - Parameter change: Runs under the graph's lock. So it is an operation of the standard library that runs no user code: it
///   compares, hashes and destroys nothing.
@usableFromInline
func changeInPlace(_ node: NodePointer, _ here: (any Actor)?, _ change: (UnsafeMutableRawPointer) -> Void) -> Bool {
  let context = Context.current
  guard takesFastPaths, context.pointee.isPlain, !context.pointee.seen.needsCare, CausalFrame.causalDepth(context) <= 1
  else {
    return false
  }
  guard Graph.with(node, { $0.change(node, context, change) }) else { return false }
  if !context.pointee.notifications.isEmpty { Context.drain(context, here) }
  return true
}

extension Graph {
  fileprivate mutating func change(
    _ node: NodePointer, _ context: ContextPointer, _ change: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    let newest = node.pointee.latest.unsafelyUnwrapped
    let hasHandlers = node.pointee.list.map { $0._withUnsafeGuaranteedRef { !$0.hasNoHandlers } } ?? false
    if hasHandlers || node.pointee.isCautious.load(ordering: .relaxed) { return false }
    advance()
    // If the epochs are equal, the value was made since the last pin.
    if newest.pointee.validFrom != epoch, isSeen(newest, except: nil) || isSeenElsewhere(newest, until: epoch) {
      return false
    }
    node.pointee.flags &= ~Node.rejected
    invalidate(node, context)
    newest.pointee.validFrom = epoch
    newest.pointee.number = newest.pointee.number &+ 1
    change(UnsafeMutableRawPointer(newest) + node.pointee.valueOffset)
    return true
  }
}
