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
  @inline(__always)
  mutating func begin(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    pin(context)
    return settle(&wave, context, isKnown: false)
  }
  /// Goes on with it after an errand that has left `found` to be done.
  @inline(never)
  mutating func goOn(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    goOn(&wave, context, from: resume(context, to: 0))
  }
  @inline(__always)
  mutating func goOn(_ wave: inout Wave, _ context: ContextPointer, from found: Errand) -> Errand {
    found == .none ? settle(&wave, context, isKnown: true) : found
  }

  /// Until something must be done outside the lock. `isKnown`: what the first node is has been found out.
  @inline(__always)
  private mutating func settle(_ wave: inout Wave, _ context: ContextPointer, isKnown: Bool) -> Errand {
    var isKnown = isKnown
    var index = wave.index
    while index < wave.end {
      let node = context.pointee.news[index]
      if !isKnown {
        // Of a large wave nothing is in the nearest memory: fetched ahead it took a fifth less.
        if index &+ 4 < wave.end { fetch(context.pointee.news[index &+ 4], context.pointee.news[index &+ 2]) }
        node.pointee.flags &= ~Node.queued
        if node.pointee.has(Node.watched) {
          let errand = find(node, context, base: 0)
          if errand != .none {
            wave.index = index
            return errand
          }
        }
      }
      isKnown = false
      let flags = node.pointee.flags
      if flags & Node.watched != 0 {
        if tell(node, wave.depth, context) {
          wave.index = index
          return .compare
        }
        // Changed since the pin: once more, at a later one.
        if flags & (Node.stale | Node.queued) == Node.stale { announce(node, context) }
      }
      index &+= 1
    }
    if !context.pointee.isSpecial { wave.remains = unpin(context) }
    return .none
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
    let told = node.pointee.told.unsafelyUnwrapped
    node.pointee.list.unsafelyUnwrapped._withUnsafeGuaranteedRef { list in
      if let claim = list.claim() ?? queue(node, list, told, newest, depth, context) {
        node.pointee.toldVersion = version
        let offset = node.pointee.valueOffset
        node.pointee.body._withUnsafeGuaranteedRef {
          $0.values.turn(UnsafeMutableRawPointer(told) + offset, UnsafeMutableRawPointer(newest) + offset, list.pending.unsafelyUnwrapped)
        }
        context.pointee.news.push(Wave.Claimed(list: Unmanaged.passUnretained(list).toOpaque(), claim: claim))
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
