extension Graph {
  /// Nothing has been committed since the pin, and reads need neither the overlay nor the write log. Then `stale` alone decides
  /// whether a node is valid; its version need not be loaded. Loading it costs 10 % of a chain that fits no cache.
  /// bench: wide 1-1000, −24 % instructions
  @inline(__always)
  func isUpToDate(_ context: ContextPointer) -> Bool {
    takesFastPaths && context.pointee.seen.snapshot >= epoch && !context.pointee.isSpecial
  }

  /// Has the result of `link` if a computation has read the same values as before and none of them has changed since. Else returns
  /// false.
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
