extension Context {
  /// Notifies the handlers of derived values of what this thread's commits have made of them, until no notification is
  /// pending. In a handler it does nothing: the outermost notification of the thread calls it again when all sources' handlers
  /// have been called.
  @inline(never)
  static func drain(_ context: ContextPointer, _ here: (any Actor)?) {
    guard context.pointee.snapshot == 0, context.pointee.telling == 0, context.pointee.journal == nil else { return }
    let depth = CausalFrame.currentDepth + 1
    while true {
      if context.pointee.hasPostponed { deliverPostponed(context, here) }
      if context.pointee.news.isEmpty { break }
      var wave = context.pointee.news.takeWave(depth: depth)
      if wave.first == wave.end {
        context.pointee.news.end(wave)
        continue
      }
      Announcement.prepare(context.pointee.announcement)
      let errand = Graph.with(context.pointee.news[wave.first]) { $0.begin(&wave, context) }
      tell(&wave, from: errand, context, here)
    }
    context.pointee.repeats = 0
    if !context.pointee.handedOn.isEmpty { HandedOn.start(context, here) }
  }

  /// Whether another nested notification of a value would take too much of the stack.
  static var isTooNested: Bool { current.pointee.telling >= nestedLimit }

  /// Leaves the queue of a list, which no other call delivers, to the outermost notification of this thread. Until then the
  /// list counts as being delivered, which keeps it alive.
  static func postpone(_ list: HandlerList) {
    current.pointee.postponed.push(Unmanaged.passUnretained(list).toOpaque())
  }
  /// Notifications are pending on this thread: postponed ones have their nodes among the others, and none is handed on unless
  /// some were enqueued again.
  var isPending: Bool { @inline(__always) get { !news.isEmpty || repeats != 0 } }
  var hasPostponed: Bool { postponed.count > heldPostponed }

  /// Calls the handlers of sources that were set too deep to be notified there, in the order of the sets.
  @inline(never)
  private static func deliverPostponed(_ context: ContextPointer, _ here: (any Actor)?) {
    context.pointee.telling &+= 1
    var index = context.pointee.heldPostponed
    while index < context.pointee.postponed.count {
      let list = context.pointee.postponed[index]
      index &+= 1
      if index == 1 << 10 &+ context.pointee.heldPostponed {
        context.pointee.postponed.remove(from: context.pointee.heldPostponed, to: index)
        index = context.pointee.heldPostponed
      }
      Unmanaged<HandlerList>.fromOpaque(list)._withUnsafeGuaranteedRef { $0.deliverRest(here) }
    }
    context.pointee.postponed.removeAll(but: context.pointee.heldPostponed)
    context.pointee.telling &-= 1
  }

  /// Settles the rest of a wave, and tells it.
  static func tell(_ wave: inout Wave, from errand: Errand, _ context: ContextPointer, _ here: (any Actor)?) {
    settle(&wave, from: errand, context)
    tell(wave, context, here)
  }

  @inline(__always)
  private static func settle(_ wave: inout Wave, from first: Errand, _ context: ContextPointer) {
    var errand = first
    let outer = context.pointee.settling
    context.pointee.settling = wave.depth
    defer { context.pointee.settling = outer }
    while errand != .none {
      switch errand {
      case .compute:
        // And stays so until the wave is settled, as what else is run here is untracked: turned on and off for each, a chain
        // took a thirtieth longer.
        if context.pointee.quick == 0 { context.pointee.isTracking = true }
        let run = compute(context)
        errand = Graph.withOwn(context) { graph in
          // Mostly what waits for this one is next: without the way through the wave a chain took a tenth less.
          let next = graph.publish(run, context, to: 0)
          return next == .compute ? next : graph.goOn(&wave, context, from: next)
        }
        endDead(of: run.node, context)
      case .reportCircle:
        reportCircle(context)
        errand = Graph.withOwn(context) { $0.goOn(&wave, context) }
      case .compare:
        let comparison = context.pointee.comparison.unsafelyUnwrapped
        let areEqual = compare(comparison, context)
        errand = Graph.withOwn(context) { graph in
          graph.conclude(comparison, areEqual: areEqual)
          return graph.goOn(&wave, context)
        }
      case .none: break
      }
    }
    context.pointee.isTracking = false
    if _slowPath(context.pointee.snapshot != 0) { wave.remains = release(context) }
    context.pointee.news.endDeepening()
    if _slowPath(wave.remains != nil || context.pointee.hasToEnd) { Bones.end(wave.remains, context) }
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

  /// Tells what has been claimed.
  static func tell(_ wave: Wave, _ context: ContextPointer, _ here: (any Actor)?) {
    let outer = context.pointee.settling
    context.pointee.settling = max(outer, wave.depth)
    defer { context.pointee.settling = outer }
    context.pointee.telling &+= 1
    let count = context.pointee.news.claimCount
    var index = wave.firstClaim
    while index < count {
      let claimed = context.pointee.news.claimed(index)
      if index &+ 3 < count {
        let ahead = context.pointee.news.claimed(index &+ 3)
        prefetch(ahead.list)
        prefetch(ahead.list + 64)
        prefetch(UnsafeRawPointer(bitPattern: ahead.claim.table))
      }
      Unmanaged<HandlerList>.fromOpaque(claimed.list)._withUnsafeGuaranteedRef { list in
        if !list.deliverOne(claimed.claim, here) { list.deliverPending(claimed.claim, here) }
      }
      index &+= 1
    }
    context.pointee.telling &-= 1
    context.pointee.news.end(wave)
    if _slowPath(!context.pointee.refused.isEmpty) { reportRefused(wave.depth, context) }
  }
}

extension Context {
  @inline(never)
  private static func reportRefused(_ depth: Int, _ context: ContextPointer) {
    while !context.pointee.refused.isEmpty {
      let node = context.pointee.refused.pop()
      node.pointee.body._withUnsafeGuaranteedRef { $0.reject(depth: depth) }
      letGo(node)
    }
  }
}
