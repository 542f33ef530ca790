/// The nodes that one round of telling is about: all made right at one snapshot, then told.
struct Wave {
  var nodes = Pile<NodePointer>()
  /// The next to be settled, and whether that has begun.
  var index = 0
  var isBegun = false
  let depth: Int
  var claims = Pile<Claimed>()
  /// What may be ended when the pin is given up.
  var remains: Remains?

  init(depth: Int) { self.depth = depth }

  struct Claimed: BitwiseCopyable {
    let list: UnsafeRawPointer
    let claim: Claim
  }
}

/// Whether a value that was told and the newest one are equal, when the versions do not say.
struct Comparison {
  let node: NodePointer
  /// Copies.
  let told: RecordPointer
  let newest: RecordPointer
  let versions: (told: UInt, newest: UInt)
}

extension Graph {
  /// Goes on with a wave until something must be done outside the lock.
  mutating func settle(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    while wave.index < wave.nodes.count {
      let node = wave.nodes[wave.index]
      let errand: Errand
      // Of a large wave nothing is in the nearest memory: fetched ahead it took a fifth less.
      if !wave.isBegun, wave.index &+ 4 < wave.nodes.count {
        fetch(wave.nodes[wave.index &+ 4], wave.nodes[wave.index &+ 2])
      }
      if wave.isBegun {
        errand = resume(context, to: 0)
      } else {
        node.pointee.flags &= ~Node.queued
        wave.isBegun = true
        errand = node.pointee.has(Node.watched) ? find(node, context, base: 0) : .none
      }
      if errand != .none { return errand }
      if node.pointee.has(Node.watched) {
        if tell(node, &wave, context) { return .compare }
        // Changed since the pin: once more, at a later one.
        if node.pointee.flags & (Node.stale | Node.queued) == Node.stale { announce(node, context) }
      }
      wave.index &+= 1
      wave.isBegun = false
    }
    return .none
  }

  /// The node that is four further, and what the one two further, which is there by now, points to.
  @inline(__always)
  private func fetch(_ far: NodePointer, _ near: NodePointer) {
    prefetch(far)
    prefetch(UnsafeRawPointer(near.pointee.body.toOpaque()))
    prefetch(UnsafeRawPointer(near.pointee.told))
    prefetch(UnsafeRawPointer(near.pointee.deps))
    if let list = near.pointee.list { prefetch(UnsafeRawPointer(list.toOpaque()) + 64) }
  }

  /// Claims the telling of what a watched node has become since it was last told. True when it must be compared first.
  @inline(__always)
  mutating func tell(_ node: NodePointer, _ wave: inout Wave, _ context: ContextPointer) -> Bool {
    let newest = node.pointee.latest.unsafelyUnwrapped
    let version = newest.pointee.version
    if node.pointee.toldVersion == version { return false }
    if node.pointee.toldVersion &+ 1 != version, needsComparison(node, newest, context) { return true }
    let told = node.pointee.told.unsafelyUnwrapped
    node.pointee.list.unsafelyUnwrapped._withUnsafeGuaranteedRef { list in
      if let claim = list.claim() ?? queue(node, list, told, newest, wave.depth, context) {
        node.pointee.toldVersion = version
        let offset = node.pointee.valueOffset
        node.pointee.body._withUnsafeGuaranteedRef {
          $0.values.turn(UnsafeMutableRawPointer(told) + offset, UnsafeMutableRawPointer(newest) + offset, list.pending)
        }
        wave.claims.push(Wave.Claimed(list: Unmanaged.passUnretained(list).toOpaque(), claim: claim))
      }
    }
    return false
  }
  @inline(never)
  private func needsComparison(_ node: NodePointer, _ newest: RecordPointer, _ context: ContextPointer) -> Bool {
    guard node.pointee.body._withUnsafeGuaranteedRef({ $0.values.areEqual != nil }) else { return false }
    context.pointee.comparison = Comparison(
      node: node, told: copy(of: node.pointee.told!, in: node), newest: copy(of: newest, in: node),
      versions: (node.pointee.toldVersion, newest.pointee.version))
    return true
  }
  /// Somebody delivers: they tell this too.
  @inline(never)
  private mutating func queue(
    _ node: NodePointer, _ list: HandlerList, _ told: RecordPointer, _ newest: RecordPointer, _ depth: Int,
    _ context: ContextPointer
  ) -> Claim? {
    if depth > 1, let refusal = list.refusal(depth) {
      if refusal == .refused {
        retain(node)
        context.pointee.refused.push(node)
      }
      return nil
    }
    let claim = list.queue(told, newest, moving: true, depth: depth)
    if claim == nil { node.pointee.toldVersion = newest.pointee.version }
    return claim
  }

  /// After the comparison: equal values are as good as told.
  mutating func conclude(_ comparison: Comparison, areEqual: Bool) {
    let node = comparison.node
    guard node.pointee.toldVersion == comparison.versions.told, node.pointee.told != nil else { return }
    // One less than the newest stands for "compared, and another".
    node.pointee.toldVersion = areEqual ? comparison.versions.newest : comparison.versions.newest &- 1
  }

  // MARK: Watching

  /// The first handler: from now on changes of the node are told.
  mutating func watch(_ node: NodePointer) {
    node.pointee.flags |= Node.watched
    node.pointee.references &+= 1
    let newest = node.pointee.latest.unsafelyUnwrapped
    node.pointee.told = copy(of: newest, in: node)
    node.pointee.toldVersion = newest.pointee.version
  }
  mutating func unwatch(_ node: NodePointer) {
    node.pointee.flags &= ~Node.watched
    if let told = node.pointee.told {
      node.pointee.told = nil
      keep(Bones.make(records: told, of: node.pointee.body))
    }
    release(node)
  }
}
