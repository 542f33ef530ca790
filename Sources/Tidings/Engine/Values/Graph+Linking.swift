import Synchronization

// What a computation has read, written down as links.
extension Graph {
  /// Whether a dependency that was known at the snapshot may be another by now.
  @inline(__always)
  func isMoved(_ dep: NodePointer, _ snapshot: UInt) -> Bool {
    let newest = dep.pointee.latest.unsafelyUnwrapped
    return newest.pointee.validFrom > snapshot || newest.pointee.validUntil.load(ordering: .relaxed) != Version.open
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
        read.pointee.number < Context.ofPin, at.pointee.number != 0,
        isUpToDate ? !at.pointee.dep.pointee.has(Node.stale) : !isMoved(at.pointee.dep, snapshot)
      else { return false }
      at.pointee.number = read.pointee.number
      expected = at.pointee.nextDep
      read += 1
    }
    return read == end
  }

  /// Writes down what a computation has read, and which versions. True if something of it may be another by now.
  @inline(never)
  mutating func link(_ node: NodePointer, _ reads: Int, _ context: ContextPointer) -> Bool {
    stamp &+= 1
    node.pointee.flags &= ~Node.incomplete
    let snapshot = context.pointee.seen.snapshot
    var next = context.pointee.reads(from: reads)
    let end = context.pointee.seen.readEnd
    var isLate = false
    var expected = node.pointee.deps
    var previous: LinkPointer?
    while next < end {
      let read = next.pointee
      next += 1
      let dep = read.node.unsafelyUnwrapped
      let number = read.number < Context.ofPin ? read.number : 0
      if let at = expected, at.pointee.dep == dep {
        setNumber(number, of: at)
        dep.pointee.stamp = stamp
        previous = at
        expected = at.pointee.nextDep
      } else {
        if dep.pointee.stamp == stamp { continue }
        dep.pointee.stamp = stamp
        if dep.pointee.has(Node.retired) {
          // Another thread released the last reference to it after the read: there is nothing left to link to.
          node.pointee.flags |= Node.incomplete
          isLate = true
          continue
        }
        let new = attach(node, to: dep, number)
        new.pointee.nextDep = expected
        if let previous { previous.pointee.nextDep = new } else { node.pointee.deps = new }
        previous = new
      }
      // What was read in the cycle: of the value with which the cycle closes its own publication decides.
      if number == 0 ? isMovedInCycle(read, dep) : isMoved(dep, snapshot) { isLate = true }
    }
    if expected != nil { cut(node, from: expected, after: previous) }
    return isLate
  }

  @inline(never)
  private mutating func cut(_ node: NodePointer, from first: LinkPointer?, after previous: LinkPointer?) {
    if let previous { previous.pointee.nextDep = nil } else { node.pointee.deps = nil }
    var link = first
    while let at = link {
      link = at.pointee.nextDep
      detach(at)
      let (dep, isRetaining) = (at.pointee.dep, at.pointee.number != 0)
      at.deallocate()
      if isRetaining { release(dep) }
    }
  }
}
