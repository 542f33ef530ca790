import Synchronization

// Stores the reads of a computation as links.
extension Graph {
  /// Adds a link at the end of the subs of `dep`.
  func attach(_ sub: NodePointer, to dep: NodePointer, _ number: UInt) -> LinkPointer {
    let link = LinkPointer.allocate(capacity: 1)
    let last = dep.pointee.lastSub
    link.initialize(to: Link(dep: dep, sub: sub, number: number, nextDep: nil, nextSub: nil, previousSub: last))
    if let last { last.pointee.nextSub = link } else { dep.pointee.subs = link }
    dep.pointee.lastSub = link
    if number != 0 { dep.pointee.references &+= 1 }
    return link
  }
  /// Sets the number of a link that may have been made in a cycle, or is now.
  @inline(__always)
  mutating func setNumber(_ number: UInt, of link: LinkPointer) {
    let old = link.pointee.number
    link.pointee.number = number
    if _slowPath(old == 0 || number == 0), (old == 0) != (number == 0) {
      if old == 0 { retain(link.pointee.dep) } else { release(link.pointee.dep) }
    }
  }

  /// Whether a dependency that was known at the snapshot may differ by now.
  @inline(__always)
  func isMoved(_ dep: NodePointer, _ snapshot: UInt) -> Bool {
    let newest = dep.pointee.latest.unsafelyUnwrapped
    return newest.pointee.validFrom > snapshot || newest.pointee.validUntil.load(ordering: .relaxed) != Version.open
  }

  /// Links a node to the values that its computation has read, with the numbers of their versions. True if one of the values may
  /// differ by now.
  @inline(never)
  mutating func link(_ node: NodePointer, _ reads: Int, _ context: ContextPointer) -> Bool {
    stamp &+= 1
    node.pointee.flags &= ~Node.incomplete
    let snapshot = context.pointee.seen.snapshot
    var next = context.pointee.reads(from: reads)
    let end = context.pointee.seen.readEnd
    var isLate = false
    var marks: UInt8 = 0
    var expected = node.pointee.deps
    var previous: LinkPointer?
    while next < end {
      let read = next.pointee
      next += 1
      let dep = read.node.unsafelyUnwrapped
      let number = read.number < Context.ofSnapshot ? read.number : 0
      marks |= dep.pointee.marks
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
      // Values that were read in the cycle have a separate check. The value with which the cycle closes never counts as moved: its
      // own publication decides.
      if read.number < Context.ofPin ? isMoved(dep, snapshot) : isMovedInCycle(read, dep) { isLate = true }
    }
    if expected != nil { cut(node, from: expected, after: previous) }
    if _slowPath(marks & Node.finalMark != 0 || previous == nil) { node.pointee.flags |= Node.mayBeFinal }
    return isLate
  }

  /// Whether a value that was computed inside the cycle may differ by now, because a commit has invalidated it or another thread
  /// has published it.
  @inline(never)
  func isMovedInCycle(_ read: Context.Read, _ dep: NodePointer) -> Bool {
    read.number == Context.ofPin && (dep.pointee.has(Node.stale) || !dep.pointee.isUnknown)
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
