extension Context {
  /// Notifies the handlers of derived values that this thread's commits have changed, until no notification is pending. In a
  /// handler it does nothing: the outermost notification of the thread calls it again when the handlers of all sources have been
  /// called.
  @inline(never)
  static func drain(_ context: ContextPointer, _ here: (any Actor)?) {
    guard context.pointee.seen.snapshot == 0, context.pointee.seen.notifying == 0, context.pointee.writeLog == nil
    else { return }
    let depth = CausalFrame.currentDepth + 1
    // The end of a pin, or of an object, in a drain drains too.
    let isNested = context.pointee.notifications.isDraining
    context.pointee.notifications.isDraining = true
    while true {
      if context.pointee.notifications.hasPostponed { deliverPostponed(context, here) }
      if context.pointee.notifications.isEmpty {
        guard context.pointee.notifications.hasStarts else { break }
        makeStart(context, here)
        continue
      }
      var batch = context.pointee.notifications.takeBatch(depth: depth)
      if batch.first == batch.end {
        context.pointee.notifications.end(batch)
        continue
      }
      Announcement.prepare(context.pointee.announcement)
      let step = Graph.with(context.pointee.notifications[batch.first]) { $0.begin(&batch, context) }
      notify(&batch, from: step, context, here)
    }
    if isNested { return }
    context.pointee.notifications.isDraining = false
    context.pointee.notifications.repeats = 0
    context.pointee.scope.propagation = 0
    if !context.pointee.notifications.offloaded.isEmpty { OffloadedNotifications.start(context, here) }
  }

  /// Ends the pin of a reader, then performs the destructions and notifications that had to wait for it.
  static func unpin(_ context: ContextPointer) {
    let retired = release(context)
    context.pointee.notifications.endDeepening()
    if retired != nil || !context.pointee.destruction.isEmpty { Retired.destroy(retired, context) }
    if context.pointee.notifications.isPending, context.pointee.seen.notifying == 0 { drain(context, nil) }
  }

  /// Whether another nested notification of a value would take too much of the stack.
  static var isTooNested: Bool { current.pointee.seen.notifying >= CausalLimits.nestedNotifications }

  /// Leaves the queue of a list, which no other call delivers, to the outermost notification of this thread. Until then the
  /// list counts as being delivered, which keeps it alive.
  static func postpone(_ list: HandlerList) {
    current.pointee.notifications.postponed.push(Unmanaged.passUnretained(list).toOpaque())
  }

  /// Calls the handlers of sources that were set while notifications were nested too deeply, in the order of the sets.
  @inline(never)
  private static func deliverPostponed(_ context: ContextPointer, _ here: (any Actor)?) {
    context.pointee.seen.notifying &+= 1
    var index = context.pointee.notifications.heldPostponed
    while index < context.pointee.notifications.postponed.count {
      let list = context.pointee.notifications.postponed[index]
      index &+= 1
      if index == 1 << 10 &+ context.pointee.notifications.heldPostponed {
        context.pointee.notifications.postponed.remove(from: context.pointee.notifications.heldPostponed, to: index)
        index = context.pointee.notifications.heldPostponed
      }
      Unmanaged<HandlerList>.fromOpaque(list)._withUnsafeGuaranteedRef { $0.deliverRest(here) }
    }
    context.pointee.notifications.postponed.removeAll(but: context.pointee.notifications.heldPostponed)
    context.pointee.seen.notifying &-= 1
  }

  /// Resolves the rest of a batch, and notifies its handlers.
  static func notify(
    _ batch: inout NotificationBatch, from step: ValidationStep, _ context: ContextPointer, _ here: (any Actor)?
  ) {
    resolve(&batch, from: step, context)
    notify(batch, context, here)
  }

  @inline(__always)
  private static func resolve(_ batch: inout NotificationBatch, from first: ValidationStep, _ context: ContextPointer) {
    var step = first
    let outer = context.pointee.scope.notificationDepth
    context.pointee.scope.notificationDepth = batch.depth
    defer { context.pointee.scope.notificationDepth = outer }
    while !step.isNone {
      guard case .compute(let node) = step else {
        step = reportOrCompare(step, &batch, context)
        continue
      }
      context.pointee.isTracking = true
      let run = compute(node, context)
      context.pointee.isTracking = false
      let published = Graph.withOwn(context) { graph in
        let published = graph.publish(run, context, to: 0)
        // Keep the pin while a version is still to be destroyed: only the pin may be keeping the version's node.
        let next = graph.continueBatch(&batch, context, from: published.next, keepingPin: published.replaced != nil)
        return Published(replaced: published.replaced, next: next)
      }
      if let replaced = published.replaced { destroyVersion(replaced, of: node, context) }
      step = published.next
    }
    if _slowPath(context.pointee.seen.snapshot != 0) { batch.retired = release(context) }
    context.pointee.notifications.endDeepening()
    if _slowPath(batch.retired != nil || !context.pointee.destruction.isEmpty) {
      Retired.destroy(batch.retired, context)
    }
  }

  @inline(never)
  private static func reportOrCompare(
    _ step: ValidationStep, _ batch: inout NotificationBatch, _ context: ContextPointer
  ) -> ValidationStep {
    switch step {
    case .none, .compute: return step
    case .reportCycle(let node):
      reportCycle(through: node, context)
      return Graph.withOwn(context) { $0.continueBatch(&batch, context) }
    case .compareValues(let pointer):
      let comparison = Comparison.consume(pointer)
      let areEqual = compare(comparison, context)
      return Graph.withOwn(context) { graph in
        graph.concludeComparison(comparison, areEqual: areEqual)
        return graph.continueBatch(&batch, context)
      }
    }
  }

  /// Whether the value that was notified and the newest value are equal. Call outside the lock.
  static func compare(_ comparison: Comparison, _ context: ContextPointer) -> Bool {
    let offset = comparison.node.pointee.valueOffset
    defer {
      destroyVersion(comparison.notified, of: comparison.node, context)
      destroyVersion(comparison.newest, of: comparison.node, context)
    }
    return untracked(context) {
      comparison.node.pointee.body._withUnsafeGuaranteedRef {
        $0.values.areEqual!(
          UnsafeMutableRawPointer(comparison.notified) + offset, UnsafeMutableRawPointer(comparison.newest) + offset)
      }
    }
  }

  /// Notifies the handlers that a batch has claimed.
  static func notify(_ batch: NotificationBatch, _ context: ContextPointer, _ here: (any Actor)?) {
    let outer = context.pointee.scope.notificationDepth
    context.pointee.scope.notificationDepth = max(outer, batch.depth)
    defer { context.pointee.scope.notificationDepth = outer }
    context.pointee.seen.notifying &+= 1
    let count = context.pointee.notifications.claimCount
    var index = batch.firstClaim
    while index < count {
      let claimed = context.pointee.notifications.claimed(index)
      if index &+ 3 < count {
        let ahead = context.pointee.notifications.claimed(index &+ 3)
        prefetch(ahead.list)
        prefetch(ahead.list + 64)
        prefetch(UnsafeRawPointer(bitPattern: ahead.claim.table))
      }
      Unmanaged<HandlerList>.fromOpaque(claimed.list)._withUnsafeGuaranteedRef { list in
        if !list.deliverOne(claimed.claim, here) { list.deliverInbox(claimed.claim, here) }
      }
      index &+= 1
    }
    context.pointee.seen.notifying &-= 1
    context.pointee.notifications.end(batch)
    if _slowPath(!context.pointee.notifications.rejected.isEmpty) { reportRejected(batch.depth, context) }
  }
}

extension Context {
  @inline(never)
  private static func reportRejected(_ depth: Int, _ context: ContextPointer) {
    while !context.pointee.notifications.rejected.isEmpty {
      let node = context.pointee.notifications.rejected.pop()
      node.pointee.body._withUnsafeGuaranteedRef { Diagnostics.reportCycle(through: $0, depth: depth) }
      releaseReference(to: node)
    }
  }
}
