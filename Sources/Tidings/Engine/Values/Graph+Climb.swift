/// Whether a value that was told and the newest one are equal, when the versions do not say.
struct Comparison {
  let node: NodePointer
  /// A copy.
  let told: RecordPointer
  let newest: RecordPointer
  let versions: (told: UInt, newest: UInt)
}

/// What is to be done next, outside the lock.
enum Errand {
  /// Compute the node, and publish the result.
  case run(NodePointer, base: RecordPointer?)
  /// The node depends on itself: report it. It keeps the value that it has, for this pin.
  case circle(NodePointer)
  /// Compare what was told with a newer record.
  case compare(Comparison)
  case done
}

// From a value that is wanted up to what must be computed first. One work list for all, no recursion: what recurses is
// first reads, which go through the closures.
extension Graph {
  /// The record of a node at the pinned snapshot, if it is known.
  @inline(__always)
  func known(_ node: NodePointer, _ context: ContextPointer) -> RecordPointer? {
    if context.pointee.isSpecial { return knownSpecially(node, context) }
    return node.pointee.record(at: context.pointee.snapshot)
  }
  @inline(never)
  private func knownSpecially(_ node: NodePointer, _ context: ContextPointer) -> RecordPointer? {
    if let own = context.pointee.memo[node] { return own.record }
    if context.pointee.isOverlaid, !node.pointee.has(Node.source) { return nil }
    return node.pointee.record(at: context.pointee.snapshot)
  }
  /// The version of a dependency at the snapshot, nil while it must be found out.
  @inline(__always)
  private func version(_ node: NodePointer, _ context: ContextPointer) -> UInt? {
    if context.pointee.isSpecial {
      if let own = context.pointee.memo[node] { return own.version }
      if context.pointee.isOverlaid, node.pointee.has(Node.source), context.pointee.journal!.write(of: node) != nil {
        return 0
      }
    }
    return known(node, context)?.pointee.version
  }

  /// Begins with a node that is not known.
  mutating func enter(_ node: NodePointer, _ context: ContextPointer, base: Int) -> Errand? {
    guard let newest = node.pointee.latest else { return start(node) }
    // Others have gone on to a later snapshot; the links are of that.
    if newest.pointee.from > context.pointee.snapshot { return start(node) }
    if node.pointee.climbing > 0 {
      for index in base..<context.pointee.climb.count where context.pointee.climb[index].node == node {
        return start(node)
      }
    }
    node.pointee.climbing &+= 1
    context.pointee.climb.push(
      Context.Climb(node: node, link: node.pointee.deps, generation: node.pointee.generation))
    return nil
  }

  /// Goes on until something must be computed, or all that stands on the work list above `base` is known.
  mutating func climb(_ context: ContextPointer, to base: Int) -> Errand {
    while context.pointee.climb.count > base {
      let top = context.pointee.climb.last
      let node = top.pointee.node
      if top.pointee.generation != node.pointee.generation {
        leaveTop(context)
        if known(node, context) == nil, let step = enter(node, context, base: base) { return step }
        continue
      }
      var link = top.pointee.link
      var next: Errand?
      var isEntered = false
      while let at = link {
        if let version = version(at.pointee.dep, context) {
          if version != at.pointee.version {
            leaveTop(context)
            next = known(node, context) == nil ? start(node) : nil
            isEntered = true
            break
          }
          link = at.pointee.nextDep
        } else {
          top.pointee.link = at
          next = enter(at.pointee.dep, context, base: base)
          isEntered = true
          break
        }
      }
      if let next { return next }
      if isEntered { continue }
      leaveTop(context)
      if known(node, context) == nil {
        // Others may have gone on to a later snapshot meanwhile.
        if node.pointee.latest.unsafelyUnwrapped.pointee.from > context.pointee.snapshot { return start(node) }
        confirm(node, context)
      }
    }
    return .done
  }
  @inline(__always)
  private mutating func leaveTop(_ context: ContextPointer) {
    let top = context.pointee.climb.pop()
    top.node.pointee.climbing &-= 1
  }

  private mutating func start(_ node: NodePointer) -> Errand {
    if node.pointee.running > 0, Frame.isComputing(node) { return .circle(node) }
    node.pointee.running &+= 1
    return .run(node, base: node.pointee.latest)
  }
}
