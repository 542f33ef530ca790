import Synchronization

/// A computation that has ended.
struct Run {
  let node: NodePointer
  /// The version with which its result was compared.
  let base: VersionPointer?
  let result: VersionPointer
  let isChanged: Bool
  /// The place in the context's reads where its own begin, see `Context.beginReads`.
  let reads: Int
}

/// The work that a publication leaves for outside the lock.
struct Published {
  /// A version of the node whose value is to be destroyed, or nil.
  let replaced: VersionPointer?
  let next: ValidationStep
}

extension Graph {
  /// Publishes the result of a computation, and continues the validation.
  @inline(__always)
  mutating func publish(_ run: Run, _ context: ContextPointer, to base: Int) -> Published {
    run.node.pointee.running &-= 1
    var replaced: VersionPointer?
    if _fastPath(publishAlone(run, replacing: &replaced, context)) {
      if _fastPath(run.isChanged) {
        return Published(replaced: replaced, next: resume(after: run.node, context, to: base))
      }
    } else {
      replaced = publishAmongOthers(run.node, run.base, run.result, run.isChanged, reads: run.reads, context)
    }
    return Published(replaced: replaced, next: resume(context, to: base))
  }

  /// Takes the parts of a run one by one: a whole `Run` would be written to memory before the fast path was tried.
  ///
  /// - Returns: The version that is to be destroyed.
  @inline(never)
  private mutating func publishAmongOthers(
    _ node: NodePointer, _ base: VersionPointer?, _ found: VersionPointer, _ isChanged: Bool, reads: Int,
    _ context: ContextPointer
  ) -> VersionPointer? {
    // The computation began in a separate graph, which has been merged into this one. That graph is reused when no node names it,
    // so name this one.
    if node.pointee.graph.load(ordering: .relaxed) != identity { _ = claim(node) }
    let run = Run(node: node, base: base, result: found, isChanged: isChanged, reads: reads)
    let snapshot = context.pointee.seen.snapshot
    let newest = node.pointee.latest
    // If the node was read while it was computed, the result is dropped and the node keeps its value.
    let keepsOldValue = context.pointee.isSpecial && context.pointee.overlay[node]?.number == Context.inCycle
    if context.pointee.isSpecial, !context.pointee.isOverlaid, !keepsOldValue, isInCycle(run, context) {
      return publishPrivately(run, context)
    }
    defer { if keepsOldValue, !context.pointee.isOverlaid { forgetPrivate(but: node, context) } }
    if context.pointee.isSpecial || node.pointee.has(Node.retired)
      || newest.map({ $0.pointee.validUntil.load(ordering: .relaxed) > snapshot }) ?? false,
      let kept = keepPrivately(run, context)
    {
      context.pointee.endReads(run.reads)
      return kept.replaced
    }
    let isLate = link(node, run.reads, context)
    // The value is not the result of the closure for the values that it read, even if their versions match the links.
    if keepsOldValue { node.pointee.flags |= Node.incomplete }
    context.pointee.endReads(run.reads)
    let until = validUntil(at: snapshot, isLate: isLate)
    defer { settleStaleness(of: node, isLate: isLate, context) }
    // An unknown value has no place in the order of snapshots: a pin that passes it must not find it right for an earlier snapshot.
    // If a handler of the report reads the node, one thread may have two computations of it, one in the other. The outer one then
    // still compares with the newest version.
    if let newest, node.pointee.running == 0, isAlone || (!node.pointee.isUnknown && !isSeen(newest, except: context)) {
      let isSame = keepsOldValue || (!run.isChanged && newest == run.base)
      writeOver(newest, isSame ? nil : run, snapshot, until)
      if isAlone, newest.pointee.previous != nil { cutOlder(newest, node) }
      return run.result
    }
    return putBefore(newest, run, keepsOldValue: keepsOldValue, snapshot, until, context)
  }

  /// Overwrites the newest value, which no other pin sees. A result is swapped with it. Without a result the value stays, and only
  /// its interval changes.
  private func writeOver(_ newest: VersionPointer, _ run: Run?, _ snapshot: UInt, _ until: UInt) {
    if let run {
      run.node.pointee.beginWriting()
      Graph.swapValues(run.result, newest, of: run.node)
      // If the result was not compared with the current newest version, skip one number, so that every reader compares.
      newest.pointee.number = newest.pointee.number &+ (newest == run.base ? 1 : 2)
    }
    newest.pointee.validFrom = snapshot
    newest.pointee.validUntil.store(until, ordering: .releasing)
    run?.node.pointee.endWriting()
  }
  /// Stores a version before the newest one, which another pin sees, or as the first one.
  ///
  /// - Returns: The version that is to be destroyed.
  private mutating func putBefore(
    _ newest: VersionPointer?, _ run: Run, keepsOldValue: Bool, _ snapshot: UInt, _ until: UInt,
    _ context: ContextPointer
  ) -> VersionPointer? {
    let node = run.node
    var result = run.result
    var replaced: VersionPointer?
    node.pointee.beginWriting()
    if keepsOldValue, let newest {
      result = Graph.copy(of: newest, in: node)
      replaced = run.result
    } else if result == context.pointee.scratch {
      result = newestVersion(for: node, context)
      Version.copyValue(run.result, to: result, of: node)
    }
    let step: UInt = keepsOldValue ? 0 : newest != run.base ? 2 : run.isChanged ? 1 : 0
    result.pointee.number = newest.map { $0.pointee.number &+ step } ?? 1
    insert(result, before: newest, of: node, snapshot, until)
    node.pointee.endWriting()
    return replaced
  }
  private mutating func insert(
    _ result: VersionPointer, before newest: VersionPointer?, of node: NodePointer, _ snapshot: UInt, _ until: UInt
  ) {
    result.pointee.validFrom = snapshot
    result.pointee.validUntil.store(until, ordering: .releasing)
    result.pointee.previous = newest
    node.pointee.latest = result
    if newest != nil { trim(node, depth: CausalFrame.currentDepth) }
  }

  private struct Private {
    let replaced: VersionPointer?
  }
  /// Drops a result or keeps it for this pin alone, if it cannot be published, and returns the version that is to be destroyed. Nil
  /// if it can be published. Then at most the value that the node had in a cycle has been forgotten.
  @inline(never)
  private mutating func keepPrivately(_ run: Run, _ context: ContextPointer) -> Private? {
    let node = run.node
    var number = context.pointee.isOverlaid ? Context.ofPin : Context.ofSnapshot
    if context.pointee.isSpecial, !context.pointee.isOverlaid {
      // The value that the node had in a cycle was for the values inside the cycle.
      if let old = context.pointee.forget(node) {
        number = Context.ofPin
        keep(Retired.make(versions: old, of: node, depth: CausalFrame.currentDepth))
      }
    }
    let newest = node.pointee.latest
    if !context.pointee.isOverlaid, !node.pointee.has(Node.retired),
      node.pointee.isUnknown || newest!.pointee.validFrom <= context.pointee.seen.snapshot
    {
      guard let newest, newest.pointee.holds(at: context.pointee.seen.snapshot) else { return nil }
      // Another thread was faster, with an equal value.
      return Private(replaced: run.result)
    }
    var result = run.result
    if result == context.pointee.scratch {
      result = context.pointee.memory.takeVersion(for: node)
      Version.copyValue(run.result, to: result, of: node)
    }
    result.pointee.validFrom = 0
    result.pointee.number = 0
    return Private(
      replaced: context.pointee.remember(SnapshotOverlay.Entry(version: result, number: number), for: node))
  }

  /// Extends the validity of a node: at the snapshot every dependency has the value that it had when the node was computed.
  mutating func revalidate(_ node: NodePointer, _ context: ContextPointer) {
    let snapshot = context.pointee.seen.snapshot
    let newest = node.pointee.latest.unsafelyUnwrapped
    if context.pointee.isOverlaid {
      _ = context.pointee.remember(
        SnapshotOverlay.Entry(version: Graph.copy(of: newest, in: node), number: newest.pointee.number), for: node)
      return
    }
    var isLate = node.pointee.has(Node.retired)
    var link = node.pointee.deps
    while let at = link, !isLate {
      isLate = isMoved(at.pointee.dep, snapshot)  // not retired: the link keeps it
      link = at.pointee.nextDep
    }
    let until = validUntil(at: snapshot, isLate: isLate)
    if isAlone || !isSeen(newest, except: context) {
      newest.pointee.validFrom = snapshot
      newest.pointee.validUntil.store(until, ordering: .releasing)
      if isAlone, newest.pointee.previous != nil { cutOlder(newest, node) }
    } else {
      let version = Graph.copy(of: newest, in: node)
      version.pointee.number = newest.pointee.number
      insert(version, before: newest, of: node, snapshot, until)
    }
    settleStaleness(of: node, isLate: isLate, context)
  }

  @inline(never)
  private mutating func cutOlder(_ version: VersionPointer, _ node: NodePointer) {
    keep(version.pointee.previous!, of: node)
    version.pointee.previous = nil
    node.pointee.forgetOlder()
  }

  @inline(__always)
  private mutating func settleStaleness(of node: NodePointer, isLate: Bool, _ context: ContextPointer) {
    node.pointee.generation &+= 1  // the numbers on its links differ now
    if isLate {
      // Only a node read inside a cycle can have dependents that are not stale.
      invalidateLate(node, context)
      node.pointee.flags |= Node.stale | Node.lagging
    } else {
      node.pointee.flags &= ~(Node.stale | Node.lagging)
      if _slowPath(node.pointee.has(Node.mayBeFinal)) { settleFinality(of: node, isNotified: false, context) }
    }
  }
}
