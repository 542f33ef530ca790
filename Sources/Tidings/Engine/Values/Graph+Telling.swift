/// Whether a value that was told and the newest one are equal, when the versions do not say.
struct Comparison {
  let node: NodePointer
  /// Copies.
  let told: RecordPointer
  let newest: RecordPointer
  let versions: (told: UInt, newest: UInt)
}

extension Graph {
  /// Begins with a wave; gives up the pin at its end.
  @inline(never)
  mutating func begin(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    if _slowPath(context.pointee.news.isMixed) { cut(&wave, context) }
    pin(context)
    return settle(&wave, context)
  }
  /// Leaves the nodes of other graphs to waves of their own. The first is of this one.
  @inline(never)
  private mutating func cut(_ wave: inout Wave, _ context: ContextPointer) {
    for index in wave.first..<wave.end where !claim(context.pointee.news[index]) {
      return context.pointee.news.cut(&wave, before: index)
    }
  }
  /// Goes on with it after an errand.
  @inline(never)
  mutating func goOn(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    goOn(&wave, context, from: resume(context, to: 0))
  }
  /// With what is left of the errand.
  @inline(__always)
  mutating func goOn(_ wave: inout Wave, _ context: ContextPointer, from rest: Errand) -> Errand {
    if rest != .none { return rest }
    if conclude(&wave, context) { return .compare }
    return settle(&wave, context)
  }

  /// Finds out what the nodes are from `wave.index` on, until something must be done outside the lock.
  ///
  /// Inlined where waves go on, which is once a node: called it took 30 instructions of 600 more.
  @inline(__always)
  private mutating func settle(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    while wave.index < wave.end {
      let node = context.pointee.news[wave.index]
      // Of a large wave nothing is in the nearest memory: fetched ahead it took a fifth less.
      if wave.index &+ 4 < wave.end {
        fetch(context.pointee.news[wave.index &+ 4], context.pointee.news[wave.index &+ 2])
      }
      node.pointee.flags &= ~Node.queued
      if node.pointee.has(Node.watched) {
        let errand = find(node, context, base: 0)
        if errand != .none { return errand }
      }
      if conclude(&wave, context) { return .compare }
    }
    // A record that is yet to be ended belongs to a node that only the pin may be keeping.
    if !context.pointee.isSpecial, context.pointee.dead == nil { wave.remains = unpin(context) }
    return .none
  }
  /// What the node at `wave.index` is has been found out. True when it must be compared first; else the next is to be
  /// settled.
  @inline(__always)
  private mutating func conclude(_ wave: inout Wave, _ context: ContextPointer) -> Bool {
    let node = context.pointee.news[wave.index]
    let flags = node.pointee.flags
    if flags & Node.watched != 0 {
      if tell(node, wave.depth, context) { return true }
      if flags & (Node.stale | Node.queued) == Node.stale { announceAgain(node, context) }
    }
    wave.index &+= 1
    // Its list, if there is something to tell, is told all the same: see `HandlerList.letGo`. To keep the node until then, and
    // to give it back under the lock, took 50 of 1,650 instructions of a diamond.
    release(node)
    return false
  }

  /// It has changed since the pin: once more, at a later one. Or it had read what was gone when it was published, and nothing has
  /// changed: then there is none yet.
  @inline(never)
  private mutating func announceAgain(_ node: NodePointer, _ context: ContextPointer) {
    leave(context.pointee.snapshot)
    context.pointee.repeats += 1
    if context.pointee.repeats <= Context.round { return announce(node, context) }
    node.pointee.flags |= Node.queued
    node.pointee.references &+= 1
    context.pointee.handedOn.push(node)
  }

  /// The node that is four further, and what the one two further, which is there by now, points to.
  @inline(__always)
  private func fetch(_ far: NodePointer, _ near: NodePointer) {
    prefetch(far)
    prefetch(UnsafeRawPointer(near.pointee.body.toOpaque()))
    prefetch(UnsafeRawPointer(near.pointee.told))
    prefetch(UnsafeRawPointer(near.pointee.deps))
    prefetch(UnsafeRawPointer(bitPattern: unsafeBitCast(near.pointee.list, to: UInt.self) &+ 64))
  }

  /// Claims the telling of what a watched node has become since it was last told. True when it must be compared first.
  @inline(__always)
  mutating func tell(_ node: NodePointer, _ depth: Int, _ context: ContextPointer) -> Bool {
    let newest = node.pointee.latest.unsafelyUnwrapped
    let version = newest.pointee.version
    if node.pointee.toldVersion == version { return false }
    if node.pointee.toldVersion &+ 1 != version, needsComparison(node, newest, context) { return true }
    if depth > 1, isRejected(node, depth, context) { return false }
    let told = node.pointee.told.unsafelyUnwrapped
    node.pointee.list.unsafelyUnwrapped._withUnsafeGuaranteedRef { list in
      if let claim = list.claim() ?? queue(node, list, told, newest, depth, context) {
        context.pointee.news.push(Wave.Claimed(list: Unmanaged.passUnretained(list).toOpaque(), claim: claim))
        node.pointee.toldVersion = version
        let offset = node.pointee.valueOffset
        node.pointee.body._withUnsafeGuaranteedRef {
          $0.values.turn(
            UnsafeMutableRawPointer(told) + offset, UnsafeMutableRawPointer(newest) + offset,
            list.pending.unsafelyUnwrapped)
        }
      }
    }
    return false
  }
  @inline(never)
  private func needsComparison(_ node: NodePointer, _ newest: RecordPointer, _ context: ContextPointer) -> Bool {
    guard node.pointee.body._withUnsafeGuaranteedRef({ $0.values.areEqual != nil }) else { return false }
    context.pointee.comparison = Comparison(
      node: node, told: Graph.copy(of: node.pointee.told!, in: node), newest: Graph.copy(of: newest, in: node),
      versions: (node.pointee.toldVersion, newest.pointee.version))
    return true
  }
  /// Whether the change closes a cycle: then it is reported at the end of the wave, and its handlers keep the value last told.
  @inline(never)
  private mutating func isRejected(_ node: NodePointer, _ depth: Int, _ context: ContextPointer) -> Bool {
    let list = node.pointee.list.unsafelyUnwrapped.takeUnretainedValue()
    guard let refusal = CausalFrame.steps(depth) > list.queuedLimit ? .refused : list.refusal(depth) else {
      return false
    }
    if refusal == .refused {
      retain(node)
      context.pointee.refused.push(node)
    }
    return true
  }
  /// Somebody delivers: they tell this too.
  @inline(never)
  private mutating func queue(
    _ node: NodePointer, _ list: HandlerList, _ told: RecordPointer, _ newest: RecordPointer, _ depth: Int,
    _ context: ContextPointer
  ) -> Claim? {
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
    node.pointee.told = Graph.copy(of: newest, in: node)
    node.pointee.toldVersion = newest.pointee.version
  }
  mutating func unwatch(_ node: NodePointer) {
    node.pointee.flags &= ~Node.watched
    if let told = node.pointee.told {
      node.pointee.told = nil
      keep(Bones.make(records: told, of: node))
    }
    release(node)
  }
}
