import Synchronization

extension Graph {
  /// Commits the value in `fresh` to a source, from a new epoch on, unless the version of the source differs from `expected`.
  ///
  /// - Parameter depth: The causal depth of the change, which is more than 1 if handlers are running on this thread.
  @inline(never)
  mutating func commit(
    _ fresh: VersionPointer, to node: NodePointer, expecting expected: UInt?, depth: Int, isClaimed: Bool,
    _ context: ContextPointer
  ) -> Commit {
    if let expected, node.pointee.latest.unsafelyUnwrapped.pointee.number != expected { return Commit(.moved) }
    return commit(fresh, to: node, depth: depth, isClaimed: isClaimed, context)
  }
  /// Commits regardless of the version of the source. Inlined with the invalidation, because every `set` comes here.
  /// bench: set with 1 handler, −8 % instructions
  @inline(__always)
  mutating func commit(
    _ fresh: VersionPointer, to node: NodePointer, depth: Int, isClaimed: Bool = false, _ context: ContextPointer
  ) -> Commit {
    if _fastPath(depth <= 1) {
      node.pointee.flags &= ~Node.rejected
    } else if let rejection = Graph.rejection(of: node, depth, context) {
      return Commit(rejection)
    }
    advance()
    // Invalidate first: a thread that reads the new value without the lock then finds its dependents stale.
    if let subs = node.pointee.subs { invalidate(from: subs, context) }
    prepare(node)
    node.pointee.beginWriting()
    var commit = put(fresh, in: node, depth: depth, isClaimed: isClaimed, context)
    node.pointee.endWriting()
    commit.hasMore = !context.pointee.notifications.isEmpty
    if _slowPath(hasRetired), canReclaim { commit.hasMore = true }
    if _slowPath(depth > 1) { Graph.endDeepening(context) }
    return commit
  }
  /// Whether a change of this depth closes a cycle. Call before a commit. The nodes that the commit enqueues are notified later, at
  /// the end of the pin or by the outermost notification of the thread. That is less deep, so the depth of this change is recorded
  /// for them.
  @inline(never)
  static func rejection(of node: NodePointer, _ depth: Int, _ context: ContextPointer) -> Commit.Outcome? {
    if context.pointee.seen.snapshot != 0 || context.pointee.seen.notifying != 0 {
      context.pointee.notifications.deepen(to: depth)
    }
    let rejection = cycle(through: node, depth, context)
    if rejection != nil { endDeepening(context) }
    return rejection
  }
  /// Ends the recorded depth, unless the thread is pinned. The value that it is computing may turn out to be stale, and is enqueued
  /// again at the end.
  @inline(never)
  static func endDeepening(_ context: ContextPointer) {
    if context.pointee.seen.snapshot == 0 { context.pointee.notifications.endDeepening() }
  }
  /// Whether a change of this depth closes a cycle. A cycle is reported once, and the rest of it does not begin it again.
  static func cycle(through node: NodePointer, _ depth: Int, _ context: ContextPointer) -> Commit.Outcome? {
    let wasRejected = node.pointee.has(Node.rejected)
    let queuedLimit = node.pointee.body._withUnsafeGuaranteedRef { $0.identity.queuedLimit }
    let limit = wasRejected ? min(CausalLimits.shallow, queuedLimit) : queuedLimit
    // If two values have a `deinit` and both set their sources, the number of waiting destructions doubles at each step.
    let steps = CausalFrame.steps(depth)
    let isFlood = steps > CausalLimits.shallow && context.pointee.destruction.deferred.count >= CausalLimits.width
    if steps > limit || isFlood {
      node.pointee.flags |= Node.rejected
      return .rejected(isReported: wasRejected)
    }
    return node.pointee.list?._withUnsafeGuaranteedRef { $0.rejection(depth) }
  }

  /// Commits all values of a transaction in one epoch. False if the version of a value that was read differs by now.
  mutating func commit(_ writes: RawStack<PendingWritePointer>, depth: Int, _ context: ContextPointer) -> Bool {
    for index in 0..<writes.count {
      let write = writes[index]
      if let expected = write.pointee.expected, write.pointee.node.pointee.latest!.pointee.number != expected {
        return false
      }
    }
    if depth > 1, isRejected(writes, depth, context) { return true }
    advance()
    var hasReplicas = false
    for index in 0..<writes.count where writes[index].pointee.fresh != nil {
      let node = writes[index].pointee.node
      if let subs = node.pointee.subs { pendingInvalidation.push(subs) }
      if _slowPath(node.pointee.has(Node.replicated)) { hasReplicas = true }
    }
    if _slowPath(hasReplicas) { invalidateReplicas(of: writes) }
    if !pendingInvalidation.isEmpty { invalidate(from: nil, context) }
    // A thread that reads without the lock must not see one new and one old value.
    for index in 0..<writes.count where writes[index].pointee.fresh != nil {
      prepare(writes[index].pointee.node)
      writes[index].pointee.node.pointee.beginWriting()
    }
    if _slowPath(hasReplicas) { putCopies(writes, depth, context) }
    for index in 0..<writes.count where writes[index].pointee.fresh != nil { put(writes[index], depth, context) }
    for index in 0..<writes.count where writes[index].pointee.fresh != nil {
      writes[index].pointee.node.pointee.endWriting()
    }
    if depth > 1 { Graph.endDeepening(context) }
    // The transaction is still open, and its end collects.
    if hasRetired { context.pointee.writeLog?.pointee.noteRetired(in: pointer) }
    return true
  }
  /// Whether one of the writes closes a cycle. Then none of them is committed.
  @inline(never)
  private func isRejected(_ writes: RawStack<PendingWritePointer>, _ depth: Int, _ context: ContextPointer) -> Bool {
    for index in 0..<writes.count where writes[index].pointee.fresh != nil {
      guard let rejection = Graph.rejection(of: writes[index].pointee.node, depth, context) else { continue }
      for other in 0..<writes.count { writes[other].pointee.commit.outcome = .rejected(isReported: true) }
      writes[index].pointee.commit.outcome = rejection
      return true
    }
    return false
  }
  @inline(__always)
  private mutating func put(_ write: PendingWritePointer, _ depth: Int, _ context: ContextPointer) {
    let node = write.pointee.node
    if depth <= 1 { node.pointee.flags &= ~Node.rejected }
    let commit = put(write.pointee.fresh.unsafelyUnwrapped, in: node, depth: depth, isClaimed: false, context)
    write.pointee.commit = commit
    if commit.claim != nil, let old = commit.old { turn(node, from: old) }
    write.handOver()
  }
  /// Makes the change that the handlers of a source are to receive.
  @inline(never)
  private func turn(_ node: NodePointer, from old: VersionPointer) {
    let offset = node.pointee.valueOffset
    node.pointee.body._withUnsafeGuaranteedRef {
      $0.values.turn(
        UnsafeMutableRawPointer(old) + offset, UnsafeMutableRawPointer(node.pointee.latest.unsafelyUnwrapped) + offset,
        node.pointee.list!._withUnsafeGuaranteedRef { $0.inbox })
    }
  }

  /// Stores the value in `fresh` from the current epoch on. If no pin sees the newest value, the two are swapped. So a source uses
  /// no more memory than the values that are seen, however long a pin lasts. Taking a version for each write, and giving it back,
  /// took 14 % of the instructions.
  @inline(__always)
  mutating func put(
    _ fresh: VersionPointer, in node: NodePointer, depth: Int, isClaimed: Bool, _ context: ContextPointer
  ) -> Commit {
    let newest = node.pointee.latest.unsafelyUnwrapped
    var commit = Commit()
    commit.old = fresh
    if _slowPath(oldestPin != nil), newest.pointee.validFrom != epoch, isSeen(newest, except: nil) {
      return putBefore(newest, fresh, in: node, depth, isClaimed, context)
    }
    Graph.swapValues(fresh, newest, of: node)
    newest.pointee.validFrom = epoch
    newest.pointee.number = newest.pointee.number &+ 1
    if node.pointee.list != nil { commit.claim = claim(newest, fresh, of: node, depth, isClaimed) }
    return commit
  }
  /// Keeps a copy of the newest value before it is replaced, if a pin in another graph may come to see it. No pin sees a value that
  /// was made at the current epoch.
  @inline(__always)
  mutating func prepare(_ node: NodePointer) {
    if _slowPath(node.pointee.latest.unsafelyUnwrapped.pointee.validFrom != epoch) { keepForOthers(node) }
  }
  @inline(never)
  private mutating func keepForOthers(_ node: NodePointer) {
    if node.pointee.olderCount > 0 { trimNow(node) }
    let newest = node.pointee.latest.unsafelyUnwrapped
    if isSeen(newest, except: nil) || !isSeenElsewhere(newest, until: epoch) { return }
    let copy = Graph.fullCopy(of: newest, in: node)
    copy.pointee.validUntil.store(epoch, ordering: .relaxed)
    newest.pointee.previous = copy
    node.pointee.olderCount &+= 1
    keepElsewhere(node, until: epoch)
  }
  @inline(never)
  private func claim(
    _ fresh: VersionPointer, _ old: VersionPointer, of node: NodePointer, _ depth: Int, _ isClaimed: Bool
  ) -> Claim? {
    node.pointee.list?._withUnsafeGuaranteedRef { list in
      if isClaimed { return list.claimed() }
      if list.hasNoHandlers, !node.pointee.isCautious.load(ordering: .relaxed) { return nil }
      if depth <= CausalLimits.nestedNotifications, let claim = list.claim() { return claim }
      return Graph.claim(orQueueChangeTo: fresh, from: old, of: node, depth, turning: false)
    }
  }
  /// The same if pins see the newest value: it stays as it is, and a version with the new value is stored before it.
  @inline(never)
  private mutating func putBefore(
    _ old: VersionPointer, _ fresh: VersionPointer, in node: NodePointer, _ depth: Int, _ isClaimed: Bool,
    _ context: ContextPointer
  ) -> Commit {
    var fresh = fresh
    if fresh == context.pointee.scratch {
      fresh = newestVersion(for: node, context)
      Version.copyValue(context.pointee.scratch, to: fresh, of: node)
    }
    old.pointee.validUntil.store(epoch, ordering: .relaxed)
    fresh.pointee.validFrom = epoch
    fresh.pointee.validUntil.store(Version.open, ordering: .releasing)
    fresh.pointee.number = old.pointee.number &+ 1
    fresh.pointee.previous = old
    node.pointee.latest = fresh
    var commit = Commit()
    commit.claim = claim(fresh, old, of: node, depth, isClaimed)
    if commit.claim != nil { commit.old = Graph.copy(of: old, in: node) }
    trim(node, depth: depth)
    return commit
  }
}
