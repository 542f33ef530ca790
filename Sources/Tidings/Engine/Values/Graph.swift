// All values and what depends on what, behind one lock that is never held while user code runs.
//
// Time. Each commit of a source advances `epoch`. A record is right for the snapshots [from, until). Whoever computes is
// pinned at one snapshot, and all reads of that computation, nested ones included, are of that snapshot: without a lock,
// since what a pin may look at does not change.
//
// Why a value is right at snapshot s. A closure gives the same value for the same reads. So a node's newest value is right
// at s exactly if each value that it consumed, in the order of reading, has at s the *version* that was consumed: that is
// written on the link. Versions of a node go up whenever its value differs and never come back, so an equal version is
// an equal value, also when a value has gone from A to B and to A again. A record may be left open (`until` infinite, the node not
// stale) only if under the lock, at publication, each dependency's newest record is open and holds at s: then it is right
// from s until now, and from now on a commit closes it, by marking what depends on the source. Everything else is published
// for s alone, and the node stays stale. An old record is never extended over snapshots at which nobody looked.
//
// Invariants, under the lock.
// 1. A stale node's subs are stale. 2. A watched stale node is in some thread's news, or is being settled by one, which puts it back
// if it is still stale afterwards. 3. A link stands in exactly its dep's subs and its sub's deps. 4. Records that a pin can
// reach are changed in nothing but `until` and `behind`, unless the pin is the changer's own and the only one.
//
// What is rare is marked with `_slowPath`: the usual way then lies in one piece and keeps in registers what it needs. Without
// it a diamond took a tenth longer.
import Synchronization

/// Begins as zeros, see `GraphLock.swift`: every property must be right as that.
struct Graph {
  private var commits: UInt = 0
  /// Never 0, which stands for "not pinned".
  var epoch: UInt {
    @inline(__always) get { commits &+ 1 }
    @inline(__always) set { commits = newValue &- 1 }
  }
  /// Numbers publications, and pins.
  var stamp: UInt = 0
  var pins: UInt = 0
  /// How many there are now.
  private var pinned: UInt = 0
  var oldestPin: ContextPointer?
  var newestPin: ContextPointer?
  /// What pins may still look at, oldest first.
  var firstRemains: Remains?
  var lastRemains: Remains?
  /// Work lists of marking, by first subs, and of burying.
  private var marked = Pile<LinkPointer>()
  /// Nodes that may have older records than the newest, each with a reference, and the number of pins when it was last looked
  /// which of them have.
  var aged = Pile<NodePointer>()
  var sweptAt: UInt = 0
  /// Records whose values no pin sees, to be ended outside the lock.
  var unseen: Remains?
  var graves = Pile<NodePointer>()
  /// Where nodes lie, those without a home record and those with one.
  var nodes = NodeStore()
  var nodesWithHome = NodeStore()

  // MARK: Pins

  @inline(__always)
  mutating func pin(_ context: ContextPointer) {
    pins &+= 1
    pinned &+= 1
    context.pointee.snapshot = epoch
    context.pointee.pin = pins
    context.pointee.previousPin = newestPin
    context.pointee.nextPin = nil
    if let newestPin { newestPin.pointee.nextPin = context } else { oldestPin = context }
    newestPin = context
  }

  /// Gives back what nobody can look at any more.
  @inline(__always)
  mutating func unpin(_ context: ContextPointer) -> Remains? {
    let (previous, next) = (context.pointee.previousPin, context.pointee.nextPin)
    if let previous { previous.pointee.nextPin = next } else { oldestPin = next }
    if let next { next.pointee.previousPin = previous } else { newestPin = previous }
    context.pointee.snapshot = 0
    pinned &-= 1
    if _slowPath(!aged.isEmpty), oldestPin == nil || pins &- sweptAt > UInt(aged.count) { sweep() }
    return _slowPath(hasRemains) ? collect(for: context) : nil
  }

  /// For who is pinned: nobody else is.
  var isAlone: Bool { @inline(__always) get { pinned == 1 } }

  /// Whether a pin other than this thread's sees the value of a record that has been replaced.
  func isSeen(_ record: RecordPointer, except own: ContextPointer?) -> Bool {
    let (from, until) = (record.pointee.from, record.pointee.until.load(ordering: .relaxed))
    var next = newestPin
    while let pin = next, pin.pointee.snapshot >= from {
      if pin != own, pin.pointee.snapshot < until { return true }
      next = pin.pointee.previousPin
    }
    return false
  }

  // MARK: References

  mutating func retain(_ node: NodePointer) { node.pointee.references &+= 1 }

  mutating func release(_ node: NodePointer) {
    node.pointee.references &-= 1
    if node.pointee.references == 0 { bury(node) }
  }

  @inline(never)
  private mutating func bury(_ first: NodePointer) {
    graves.push(first)
    while !graves.isEmpty {
      let node = graves.pop()
      node.pointee.flags |= Node.dead
      node.pointee.generation &+= 1
      var link = node.pointee.deps
      node.pointee.deps = nil
      while let next = link {
        link = next.pointee.nextDep
        detach(next)
        let (dep, isRetaining) = (next.pointee.dep, next.pointee.version != 0)
        next.deallocate()
        guard isRetaining else { continue }
        dep.pointee.references &-= 1
        if dep.pointee.references == 0 { graves.push(dep) }
      }
      while let link = node.pointee.subs { forget(link) }
      node.pointee.list?._withUnsafeGuaranteedRef { $0.leave() }
      keep(Bones.make(node: node))
    }
  }

  /// The value that this one read in a cycle has gone: its links no longer name everything that it read.
  @inline(never)
  private func forget(_ gone: LinkPointer) {
    let sub = gone.pointee.sub
    detach(gone)
    if sub.pointee.deps == gone {
      sub.pointee.deps = gone.pointee.nextDep
    } else {
      var link = sub.pointee.deps
      while let at = link, at.pointee.nextDep != gone { link = at.pointee.nextDep }
      link?.pointee.nextDep = gone.pointee.nextDep
    }
    gone.deallocate()
    sub.pointee.flags |= Node.incomplete
    sub.pointee.generation &+= 1
  }

  // MARK: Links

  /// Takes a link out of its dep's subs.
  @inline(__always)
  func detach(_ link: LinkPointer) {
    let dep = link.pointee.dep
    let (previous, next) = (link.pointee.previousSub, link.pointee.nextSub)
    if let previous { previous.pointee.nextSub = next } else { dep.pointee.subs = next }
    if let next { next.pointee.previousSub = previous } else { dep.pointee.lastSub = previous }
  }

  /// A new link at the end of its dep's subs.
  func attach(_ sub: NodePointer, to dep: NodePointer, _ version: UInt) -> LinkPointer {
    let link = LinkPointer.allocate(capacity: 1)
    let last = dep.pointee.lastSub
    link.initialize(to: Link(dep: dep, sub: sub, version: version, nextDep: nil, nextSub: nil, previousSub: last))
    if let last { last.pointee.nextSub = link } else { dep.pointee.subs = link }
    dep.pointee.lastSub = link
    if version != 0 { dep.pointee.references &+= 1 }
    return link
  }
  /// Of a link that may have been made in a cycle, or may be now.
  @inline(__always)
  mutating func setVersion(_ version: UInt, of link: LinkPointer) {
    let old = link.pointee.version
    link.pointee.version = version
    if _slowPath(old == 0 || version == 0), (old == 0) != (version == 0) {
      if old == 0 { retain(link.pointee.dep) } else { release(link.pointee.dep) }
    }
  }

  // MARK: Marking

  /// What depends on a node may be another value from this epoch on.
  @inline(never)
  mutating func mark(_ source: NodePointer, _ context: ContextPointer) {
    if let subs = source.pointee.subs { spread(from: subs, context) }
  }
  /// Several sources are marked as one.
  mutating func markTogether(_ context: ContextPointer, _ sources: some Sequence<NodePointer>) {
    for source in sources { if let subs = source.pointee.subs { marked.push(subs) } }
    spread(from: nil, context)
  }
  /// Marks the subs of one node, from its first, and of those in the work list, and all that depends on them: nearest first, so
  /// that of values that are told the later ones mostly find the earlier ones computed.
  @inline(__always)
  mutating func spread(from first: LinkPointer?, _ context: ContextPointer) {
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
        node.pointee.latest.unsafelyUnwrapped.pointee.until.store(epoch, ordering: .relaxed)
        if flags & (Node.watched | Node.queued) == Node.watched { announce(node, context) }
        if let subs = node.pointee.subs { marked.push(subs) }
      }
      if index == marked.count { break }
      next = marked[index]
      index &+= 1
    }
    marked.removeAll()
  }

  /// Leaves it to this thread to tell the node's handlers.
  @inline(__always)
  func announce(_ node: NodePointer, _ context: ContextPointer) {
    node.pointee.flags |= Node.queued
    node.pointee.references &+= 1
    context.pointee.news.push(node)
  }
}
