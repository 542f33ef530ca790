/// The nodes that one round of telling is about: all made right at one snapshot, then told.
struct Wave {
  var nodes: Pile<NodePointer>
  /// The next to be settled, and whether it was entered.
  var index = 0
  var isEntered = false
  let depth: Int
  var claims = Pile<Claimed>()
  /// Handlers that cause each other in a circle.
  var refused = Pile<NodePointer>()

  struct Claimed: BitwiseCopyable {
    let list: UnsafeRawPointer
    let claim: Claim
  }
}

extension Graph {
  /// Goes on with a wave until something must be done outside the lock; at the end the pin is given up.
  mutating func settle(_ wave: inout Wave, _ context: ContextPointer) -> Errand {
    while wave.index < wave.nodes.count {
      let node = wave.nodes[wave.index]
      if !wave.isEntered {
        wave.isEntered = true
        node.pointee.flags &= ~Node.queued
        if !node.pointee.has(Node.watched) {
          wave.next()
          continue
        }
        if known(node, context) == nil, let step = enter(node, context, base: 0) { return step }
      }
      let step = climb(context, to: 0)
      guard case .done = step else { return step }
      if let comparison = tell(node, &wave) { return .compare(comparison) }
      // Changed since the pin: once more, at a later one.
      if node.pointee.flags & (Node.stale | Node.watched | Node.queued) == Node.stale | Node.watched {
        announce(node, context)
      }
      wave.next()
    }
    return .done
  }

  /// Claims the telling of what a node has become since it was last told, if it has handlers.
  mutating func tell(_ node: NodePointer, _ wave: inout Wave) -> Comparison? {
    guard node.pointee.has(Node.watched), let list = node.pointee.list, let told = node.pointee.told,
      let newest = node.pointee.latest
    else { return nil }
    let version = newest.pointee.version
    if node.pointee.toldVersion == version { return nil }
    let body = node.pointee.body
    if node.pointee.toldVersion &+ 1 != version, body._withUnsafeGuaranteedRef({ $0.values.areEqual != nil }) {
      return Comparison(
        node: node, told: copy(of: told, in: node), newest: newest, versions: (node.pointee.toldVersion, version))
    }
    list._withUnsafeGuaranteedRef { list in
      if wave.depth > 1, list.refusal(wave.depth) == .refused {
        retain(node)
        wave.refused.push(node)
        return
      }
      node.pointee.toldVersion = version
      if let claim = list.claim() ?? list.queue(told, newest, moving: true, depth: wave.depth) {
        body._withUnsafeGuaranteedRef {
          let offset = $0.values.offset
          $0.values.turn(
            UnsafeMutableRawPointer(told) + offset, UnsafeMutableRawPointer(newest) + offset, list.pendingPlace)
        }
        wave.claims.push(Wave.Claimed(list: Unmanaged.passUnretained(list).toOpaque(), claim: claim))
      }
    }
    return nil
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
extension Wave {
  mutating func next() {
    index &+= 1
    isEntered = false
  }
}
