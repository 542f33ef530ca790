extension Context {
  /// Tells the handlers of derived values what this thread's commits have made of them, until there is no more news.
  @inline(never)
  static func drain(_ context: ContextPointer, _ here: (any Actor)?) {
    guard context.pointee.snapshot == 0, context.pointee.journal == nil else { return }
    let depth = Frame.currentDepth + 1
    while !context.pointee.news.isEmpty {
      var wave = Wave(depth: depth)
      context.pointee.takeNews(into: &wave)
      let errand = graph.withLock { graph in
        graph.pin(context)
        return graph.goOn(&wave, context)
      }
      tell(&wave, from: errand, context, here)
    }
  }

  /// Settles the rest of a wave, and tells it.
  static func tell(_ wave: inout Wave, from errand: Errand, _ context: ContextPointer, _ here: (any Actor)?) {
    settle(&wave, from: errand, context)
    tell(&wave, context, here)
  }

  @inline(__always)
  private static func settle(_ wave: inout Wave, from first: Errand, _ context: ContextPointer) {
    var errand = first
    while errand != .none {
      switch errand {
      case .compute:
        let run = compute(context)
        errand = graph.withLock { graph in
          graph.publish(run, context)
          // Mostly what waits for this one is next: without the way through the wave a chain took a tenth less.
          let next = graph.resume(context, to: 0)
          return next == .compute ? next : graph.goOn(&wave, context, from: next)
        }
        endDead(of: run.node, context)
      case .reportCircle:
        reportCircle(context)
        errand = graph.withLock { $0.goOn(&wave, context) }
      case .compare:
        let areEqual = compare(context.pointee.comparison, context)
        errand = graph.withLock { graph in
          graph.conclude(context.pointee.comparison, areEqual: areEqual)
          return graph.goOn(&wave, context)
        }
      case .none: break
      }
    }
    if context.pointee.snapshot != 0 { wave.remains = release(context) }
    if wave.remains != nil || !context.pointee.graves.isEmpty { Bones.end(wave.remains, context) }
  }

  /// Outside the lock: whether what was told and the newest value are equal.
  static func compare(_ comparison: Comparison, _ context: ContextPointer) -> Bool {
    let offset = comparison.node.pointee.valueOffset
    defer {
      endRecord(comparison.told, of: comparison.node, context)
      endRecord(comparison.newest, of: comparison.node, context)
    }
    return untracked(context) {
      comparison.node.pointee.body._withUnsafeGuaranteedRef {
        $0.values.areEqual!(
          UnsafeMutableRawPointer(comparison.told) + offset, UnsafeMutableRawPointer(comparison.newest) + offset)
      }
    }
  }

  static func tell(_ wave: inout Wave, _ context: ContextPointer, _ here: (any Actor)?) {
    let passage = Passage(here: here, ticket: nil)
    context.pointee.telling &+= 1
    for index in 0..<wave.claims.count {
      let claimed = wave.claims[index]
      if index &+ 3 < wave.claims.count {
        let ahead = wave.claims[index &+ 3]
        prefetch(ahead.list)
        prefetch(ahead.list + 64)
        prefetch(UnsafeRawPointer(bitPattern: ahead.claim.table))
      }
      Unmanaged<HandlerList>.fromOpaque(claimed.list)
        ._withUnsafeGuaranteedRef { $0.deliverPending(claimed.claim, passage) }
    }
    context.pointee.telling &-= 1
    let remains = graph.withLock { graph in
      for index in 0..<wave.nodes.count { graph.release(wave.nodes[index]) }
      return graph.collect()
    }
    let depth = wave.depth
    context.pointee.giveBack(&wave)
    if remains != nil { Bones.end(remains, context) }
    if !context.pointee.refused.isEmpty { reportRefused(depth, context) }
  }
}

extension Context {
  @inline(never)
  private static func reportRefused(_ depth: Int, _ context: ContextPointer) {
    while !context.pointee.refused.isEmpty {
      let node = context.pointee.refused.pop()
      node.pointee.body._withUnsafeGuaranteedRef { $0.refuse(depth: depth) }
      letGo(node)
    }
  }
}

extension Graph {
  /// Goes on with a wave; gives up the pin at its end.
  mutating func goOn(_ wave: inout Wave, _ context: ContextPointer, from found: Errand = .none) -> Errand {
    let errand = found == .none ? settle(&wave, context) : found
    if errand == .none, !context.pointee.isSpecial { wave.remains = unpin(context) }
    return errand
  }
}
