extension Graph {
  /// Begins with a batch; gives up the pin at its end.
  @inline(never)
  mutating func begin(_ batch: inout NotificationBatch, _ context: ContextPointer) -> ValidationStep {
    if _slowPath(context.pointee.notifications.isMixed) { cut(&batch, context) }
    assert(Graph.root(of: context.pointee.notifications[batch.first]) == pointer, "a batch of another graph")
    pin(context)
    return resolve(&batch, context, keepingPin: false)
  }
  /// Leaves the nodes of other graphs to batches of their own. The first is of this one.
  @inline(never)
  private mutating func cut(_ batch: inout NotificationBatch, _ context: ContextPointer) {
    for index in batch.first..<batch.end where !claim(context.pointee.notifications[index]) {
      return context.pointee.notifications.cut(&batch, before: index)
    }
  }
  /// Continues the batch after a step.
  @inline(never)
  mutating func continueBatch(_ batch: inout NotificationBatch, _ context: ContextPointer) -> ValidationStep {
    continueBatch(&batch, context, from: resume(context, to: 0), keepingPin: false)
  }
  /// With what is left of the step.
  ///
  /// - Parameter keepingPin: Also at the end of the batch.
  @inline(__always)
  mutating func continueBatch(
    _ batch: inout NotificationBatch, _ context: ContextPointer, from rest: ValidationStep, keepingPin: Bool
  ) -> ValidationStep {
    if !rest.isNone { return rest }
    if let comparison = conclude(&batch, context) { return .compareValues(comparison) }
    return resolve(&batch, context, keepingPin: keepingPin)
  }

  /// Finds out what the nodes are from `batch.index` on, until something must be done outside the lock.
  ///
  /// Inlined where a batch continues, which is once a node. bench: wide 1-1000, −7 % instructions
  @inline(__always)
  private mutating func resolve(
    _ batch: inout NotificationBatch, _ context: ContextPointer, keepingPin: Bool
  ) -> ValidationStep {
    while batch.index < batch.end {
      let node = context.pointee.notifications[batch.index]
      // Of a large batch nothing is in the nearest memory: fetched ahead it took a fifth less.
      if batch.index &+ 4 < batch.end {
        fetch(context.pointee.notifications[batch.index &+ 4], context.pointee.notifications[batch.index &+ 2])
      }
      node.pointee.flags &= ~Node.queued
      if node.pointee.has(Node.watched) {
        let step = find(node, context, base: 0)
        if !step.isNone { return step }
      }
      if let comparison = conclude(&batch, context) { return .compareValues(comparison) }
    }
    if !context.pointee.isSpecial, !keepingPin { batch.retired = unpin(context) }
    return .none
  }
  /// The node at `batch.index` has been validated. What must be compared first, or nil: the next node is to be resolved.
  @inline(__always)
  private mutating func conclude(
    _ batch: inout NotificationBatch, _ context: ContextPointer
  ) -> ComparisonPointer? {
    let node = context.pointee.notifications[batch.index]
    let flags = node.pointee.flags
    if flags & Node.watched != 0 {
      if let comparison = notify(node, batch.depth, context) { return comparison }
      if flags & (Node.stale | Node.queued) == Node.stale { enqueueAgain(node, context) }
    }
    batch.index &+= 1
    // Its list, if there is something to notify, is notified all the same: see `HandlerList.releaseNodeReference`. To keep the
    // node until then, and to give it back under the lock, took 50 of 1,650 instructions of a diamond.
    release(node)
    return nil
  }

  /// It has changed since the pin: once more, at a later one. Or it had read what was destroyed when it was published, and
  /// nothing has changed: then there is none yet.
  @inline(never)
  private mutating func enqueueAgain(_ node: NodePointer, _ context: ContextPointer) {
    leave(context.pointee.seen.snapshot)
    context.pointee.notifications.repeats += 1
    if context.pointee.notifications.repeats <= CausalLimits.round { return enqueue(node, context) }
    node.pointee.flags |= Node.queued
    node.pointee.references &+= 1
    context.pointee.notifications.offloaded.push(node)
  }

  /// The node that is four further, and what the one two further, which is there by now, points to.
  @inline(__always)
  private func fetch(_ far: NodePointer, _ near: NodePointer) {
    prefetch(far)
    prefetch(UnsafeRawPointer(near.pointee.body.toOpaque()))
    prefetch(UnsafeRawPointer(near.pointee.notified))
    prefetch(UnsafeRawPointer(near.pointee.deps))
    prefetch(UnsafeRawPointer(bitPattern: unsafeBitCast(near.pointee.list, to: UInt.self) &+ 64))
  }

  /// Claims the notifying of what a watched node has become since it was last notified. What must be compared first, or nil.
  @inline(__always)
  mutating func notify(_ node: NodePointer, _ depth: Int, _ context: ContextPointer) -> ComparisonPointer? {
    let newest = node.pointee.latest.unsafelyUnwrapped
    let number = newest.pointee.number
    if node.pointee.notifiedNumber == number { return nil }
    if node.pointee.notifiedNumber &+ 1 != number, let comparison = comparison(of: node, newest) { return comparison }
    if depth > 1, isRejected(node, depth, context) { return nil }
    let notified = node.pointee.notified.unsafelyUnwrapped
    node.pointee.list.unsafelyUnwrapped._withUnsafeGuaranteedRef { list in
      if let claim = list.claim() ?? queue(node, list, notified, newest, depth, context) {
        context.pointee.notifications.push(
          NotificationBatch.Claimed(list: Unmanaged.passUnretained(list).toOpaque(), claim: claim))
        node.pointee.notifiedNumber = number
        let offset = node.pointee.valueOffset
        node.pointee.body._withUnsafeGuaranteedRef {
          $0.values.turn(
            UnsafeMutableRawPointer(notified) + offset, UnsafeMutableRawPointer(newest) + offset,
            list.inbox.unsafelyUnwrapped)
        }
      }
    }
    return nil
  }
  @inline(never)
  private func comparison(of node: NodePointer, _ newest: VersionPointer) -> ComparisonPointer? {
    guard node.pointee.body._withUnsafeGuaranteedRef({ $0.values.areEqual != nil }) else { return nil }
    return Comparison(
      node: node, notified: Graph.copy(of: node.pointee.notified!, in: node), newest: Graph.copy(of: newest, in: node),
      numbers: (node.pointee.notifiedNumber, newest.pointee.number)
    ).allocated()
  }
  /// Whether the change closes a cycle: then it is reported at the end of the batch, and its handlers keep the value last notified.
  @inline(never)
  private mutating func isRejected(_ node: NodePointer, _ depth: Int, _ context: ContextPointer) -> Bool {
    let list = node.pointee.list.unsafelyUnwrapped.takeUnretainedValue()
    let isTooDeep = CausalFrame.steps(depth) > list.identity.queuedLimit
    guard let rejection = isTooDeep ? .rejected(isReported: false) : list.rejection(depth) else { return false }
    if rejection.isToBeReported {
      retain(node)
      context.pointee.notifications.rejected.push(node)
    }
    return true
  }
  /// Another call delivers: it delivers this too.
  @inline(never)
  private mutating func queue(
    _ node: NodePointer, _ list: HandlerList, _ notified: VersionPointer, _ newest: VersionPointer, _ depth: Int,
    _ context: ContextPointer
  ) -> Claim? {
    let claim = Graph.claim(orQueueChangeTo: newest, from: notified, of: node, depth, turning: true)
    if claim == nil { node.pointee.notifiedNumber = newest.pointee.number }
    return claim
  }

  /// After the comparison: equal values are as good as notified.
  mutating func concludeComparison(_ comparison: Comparison, areEqual: Bool) {
    let node = comparison.node
    guard node.pointee.notifiedNumber == comparison.numbers.notified, node.pointee.notified != nil else { return }
    // One less than the newest means "compared, and another".
    node.pointee.notifiedNumber = areEqual ? comparison.numbers.newest : comparison.numbers.newest &- 1
  }

  // MARK: Watching

  /// The first handler: from now on changes of the node are notified.
  mutating func watch(_ node: NodePointer) {
    node.pointee.flags |= Node.watched
    node.pointee.references &+= 1
    let newest = node.pointee.latest.unsafelyUnwrapped
    node.pointee.notified = Graph.copy(of: newest, in: node)
    node.pointee.notifiedNumber = newest.pointee.number
  }
  mutating func unwatch(_ node: NodePointer) {
    node.pointee.flags &= ~Node.watched
    if let notified = node.pointee.notified {
      node.pointee.notified = nil
      keep(Retired.make(versions: notified, of: node))
    }
    release(node)
  }
}
