extension Graph {
  /// Nothing has been committed since the pin, and nothing is out of the ordinary. Then what is not stale is known, and what
  /// is stale is mostly not: no version need be fetched to see it, a tenth of a chain that fits no cache.
  /// bench: wide 1-1000, −24 % instructions
  @inline(__always)
  func isUpToDate(_ context: ContextPointer) -> Bool {
    takesFastPaths && context.pointee.seen.snapshot >= epoch && !context.pointee.isSpecial
  }

  /// The same as `link`, where a computation has read what it read before and nothing of it has changed since: else false.
  @inline(__always)
  func relink(_ node: NodePointer, _ reads: Int, _ context: ContextPointer) -> Bool {
    let snapshot = context.pointee.seen.snapshot
    let isUpToDate = isUpToDate(context)
    var read = context.pointee.reads(from: reads)
    let end = context.pointee.seen.readEnd
    var expected = node.pointee.deps
    while let at = expected {
      guard read < end, UInt(bitPattern: at.pointee.dep) == UInt(bitPattern: read.pointee.node),
        read.pointee.number < Context.ofSnapshot, at.pointee.number != 0,
        isUpToDate ? !at.pointee.dep.pointee.has(Node.stale) : !isMoved(at.pointee.dep, snapshot)
      else { return false }
      at.pointee.number = read.pointee.number
      expected = at.pointee.nextDep
      read += 1
    }
    return read == end
  }
}
