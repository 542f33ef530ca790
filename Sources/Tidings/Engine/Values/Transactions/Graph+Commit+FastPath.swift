extension Graph {
  /// Commits to a source that is alone: nothing is to be invalidated, and no handler to be notified. Nil if a pin in another graph
  /// may come to see the old value. Then the caller places the source in a graph, which keeps the value.
  @inline(__always)
  static func commitToLoneSource(
    _ fresh: VersionPointer, to node: NodePointer, expecting expected: UInt? = nil, depth: Int,
    _ context: ContextPointer
  ) -> Commit? {
    let newest = node.pointee.latest.unsafelyUnwrapped
    if let expected, newest.pointee.number != expected { return Commit(.moved) }
    if !takesFastPaths { return nil }
    let now = VersionClock.now
    if _slowPath(newest.pointee.validFrom != now), Announcement.isPinned(from: newest.pointee.validFrom, until: now) {
      return nil
    }
    if _fastPath(depth <= 1) {
      node.pointee.flags &= ~Node.rejected
    } else if let rejection = rejection(of: node, depth, context) {
      return Commit(rejection)
    }
    node.pointee.beginWriting()
    swapValues(fresh, newest, of: node)
    newest.pointee.validFrom = now
    newest.pointee.number = newest.pointee.number &+ 1
    node.pointee.endWriting()
    var commit = Commit()
    commit.old = fresh
    commit.hasMore = !context.pointee.notifications.isEmpty
    if _slowPath(depth > 1) { endDeepening(context) }
    return commit
  }
}
