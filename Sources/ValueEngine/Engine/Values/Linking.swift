import Synchronization

extension ContextPointer {
  /// Makes the node's links those of the reads. Under its publication lock. False if something that was linked anew has changed since
  /// it was read: then the node is not valid.
  @inline(__always)
  func link(_ node: NodePointer, _ frame: Computation.FramePointer) -> Bool {
    var read = pointee.computation.reads.base + frame.pointee.base
    let end = pointee.computation.reads.base + pointee.computation.reads.count
    var next = node.firstDep
    var last: LinkPointer?
    var height: UInt32 = 0
    while read != end, let link = next, link.pointee.dep == read.pointee.node {
      // Relaxed: validations compare it and then find that `publications` has changed.
      link.pointee.number.store(read.pointee.number, ordering: .relaxed)
      height = max(height, link.pointee.dep.pointee.height.load(ordering: .relaxed))
      last = link
      next = link.nextDep
      read += 1
    }
    defer { pointee.computation.reads.truncate(to: frame.pointee.base) }
    if _fastPath(next == nil && read == end) {
      node.pointee.height.store(height &+ 1, ordering: .relaxed)
      return true
    }
    defer { node.storeHeight() }
    return relink(node, after: last, rest: next, read, end, frame)
  }
  @inline(never)
  private func relink(
    _ node: NodePointer, after kept: LinkPointer?, rest: LinkPointer?,
    _ first: UnsafeMutablePointer<Computation.Read>, _ end: UnsafeMutablePointer<Computation.Read>,
    _ frame: Computation.FramePointer
  ) -> Bool {
    var last = kept
    func append(_ word: UInt) {
      if let last {
        last.pointee.nextDep.store(word, ordering: .releasing)
      } else {
        node.pointee.deps.store(word, ordering: .releasing)
      }
    }
    append(0)
    // The links are those that the computation expected, so the first new one is for the first read that is retained.
    assert(
      first == end || first - pointee.computation.reads.base == frame.pointee.retainedFrom,
      "a read without a link is not retained")
    var read = first
    while read != end {
      let dep = read.pointee.node
      let link = pointee.memory.makeLink(node, reads: dep, read.pointee.number)
      attach(link)
      append(UInt(bitPattern: link))
      last = link
      read += 1
    }
    let isOpen = first == end || areUnchanged(first, end)
    var next = rest
    while let link = next {
      next = link.nextDep
      releaseLater(link.pointee.dep)
      detach(link)
    }
    return isOpen
  }
  /// Whether what was linked anew is still what was read.
  private func areUnchanged(
    _ first: UnsafeMutablePointer<Computation.Read>, _ end: UnsafeMutablePointer<Computation.Read>
  ) -> Bool {
    // The links, then the look at what they lead to: a commit that has not seen a link is seen here.
    fullFence()
    var read = first
    while read != end {
      let node = read.pointee.node
      // Validity first. A commit that has not seen the link still holds its lock, or has written a new number. In the other order it
      // could do both between the two looks.
      if !node.isValid || node.pointee.number.load(ordering: .acquiring) != read.pointee.number { return false }
      read += 1
    }
    return true
  }

  /// Adds a link to the list of the node that was read.
  private func attach(_ link: LinkPointer) {
    let dep = link.pointee.dep
    let held = HeldLock(dep.linkLock)
    let head = dep.firstSub
    // relaxed: `head` was released before, and the new link is released below.
    link.pointee.nextSub.store(UInt(bitPattern: head), ordering: .relaxed)
    // relaxed: under the lock, as each access is.
    if let head { head.pointee.previousSub.store(UInt(bitPattern: link), ordering: .relaxed) }
    // The link is complete before commits find it.
    dep.pointee.subs.store(UInt(bitPattern: link), ordering: .releasing)
    held.release()
  }
  /// Takes a link out of that list. A commit that is at this link follows it further, so it is retired.
  func detach(_ link: LinkPointer) {
    let dep = link.pointee.dep
    let held = HeldLock(dep.linkLock)
    let next = link.nextSub
    if let previous = LinkPointer(bitPattern: link.pointee.previousSub.load(ordering: .relaxed)) {
      previous.pointee.nextSub.store(UInt(bitPattern: next), ordering: .releasing)
    } else {
      dep.pointee.subs.store(UInt(bitPattern: next), ordering: .releasing)
    }
    if let next {
      next.pointee.previousSub.store(link.pointee.previousSub.load(ordering: .relaxed), ordering: .relaxed)
    }
    held.release()
    Reclaimer.retire(link, thread) { Context.current.pointee.memory.takeBack($0.assumingMemoryBound(to: Link.self)) }
  }

  /// Removes all links of a node that two commits have found stale: whatever else it read, it must be computed when it is next looked
  /// at, and is linked again then. So a commit over any number of values that no one reads is as cheap as one over none.
  @inline(never)
  func unlink(_ node: NodePointer) {
    let held = HeldLock(node.publicationLock)
    // Published since without what is being written: it is valid, and must be found by commits. A node with handlers is about to be
    // validated in any case, and keeps its links.
    if node.isValid || node.has(Node.isWatched)
      || node.pointee.publications.load(ordering: .relaxed) == Node.ended
    {
      return held.release()
    }
    // A computation that is under way relies on the links for references to what it reads: it is not published. The links first: a
    // computation that loads the new number, and so can be published, finds that there are none.
    let publications = node.pointee.publications.load(ordering: .relaxed)
    var next = node.firstDep
    node.pointee.deps.store(0, ordering: .releasing)
    node.pointee.publications.store(publications &+ 1, ordering: .releasing)
    while let link = next {
      next = link.nextDep
      releaseLater(link.pointee.dep)
      detach(link)
    }
    held.release()
  }
}

extension NodePointer {
  /// Stores the node's height from its links. Under the publication lock, while everything that it has read is valid.
  func storeHeight() {
    var height: UInt32 = 0
    var next = firstDep
    while let link = next {
      height = max(height, link.pointee.dep.pointee.height.load(ordering: .relaxed))
      next = link.nextDep
    }
    pointee.height.store(height &+ 1, ordering: .relaxed)
  }
}
