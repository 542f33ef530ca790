import Synchronization

// Invalidation goes from a source that is written down to all values that were computed from it.
extension Graph {
  /// Invalidates the dependents of a node, which may differ from this epoch on.
  @inline(never)
  mutating func invalidate(_ source: NodePointer, _ context: ContextPointer) {
    if let subs = source.pointee.subs { invalidate(from: subs, context) }
  }
  /// The same without a commit. The epoch is still later than every pin: a value that a pin has read stays right for it, and in its
  /// place.
  @inline(never)
  mutating func invalidateLate(_ node: NodePointer, _ context: ContextPointer) {
    guard node.pointee.subs != nil else { return }
    advance()
    invalidate(node, context)
  }
  /// Invalidates the subs of one node, the subs in the work list, and all their dependents. The nearest come first, so a value that
  /// is notified later mostly finds the earlier ones computed.
  @inline(__always)
  mutating func invalidate(from first: LinkPointer?, _ context: ContextPointer) {
    let epoch = epoch
    var index = 0
    var next = first
    while true {
      while let link = next {
        let node = link.pointee.sub
        next = link.pointee.nextSub
        let flags = node.pointee.flags
        if flags & Node.stale != 0 { continue }
        node.pointee.flags = flags | Node.stale
        node.pointee.latest.unsafelyUnwrapped.pointee.validUntil.store(epoch, ordering: .relaxed)
        if flags & (Node.watched | Node.queued) == Node.watched { enqueue(node, context) }
        if let subs = node.pointee.subs { pendingInvalidation.push(subs) }
      }
      if index == pendingInvalidation.count { break }
      next = pendingInvalidation[index]
      index &+= 1
    }
    pendingInvalidation.removeAll()
  }

  /// Enqueues a node, whose handlers this thread then notifies.
  @inline(__always)
  func enqueue(_ node: NodePointer, _ context: ContextPointer) {
    node.pointee.flags |= Node.queued
    node.pointee.references &+= 1
    context.pointee.notifications.push(node, of: name)
  }
}
