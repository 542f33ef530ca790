import Synchronization

/// A computation that has ended.
struct Run {
  let node: NodePointer
  /// What its result was compared with.
  let base: VersionPointer?
  let result: VersionPointer
  let isChanged: Bool
  /// Where in the context's reads its own begin, see `Context.beginReads`.
  let reads: Int
}

/// What a publication leaves to be done outside the lock.
struct Published {
  /// A version of the node whose value is to be destroyed, or nil.
  let replaced: VersionPointer?
  let next: ValidationStep
}

extension Graph {
  /// Publishes what was computed, and continues the validation.
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

  /// The parts of a run one by one: as a whole it would be written to memory before the other way was tried.
  ///
  /// - Returns: What is to be destroyed.
  @inline(never)
  private mutating func publishAmongOthers(
    _ node: NodePointer, _ base: VersionPointer?, _ found: VersionPointer, _ isChanged: Bool, reads: Int,
    _ context: ContextPointer
  ) -> VersionPointer? {
    // It began in a graph of its own, which has been merged into this one: that is used again when no node names it.
    if node.pointee.graph.load(ordering: .relaxed) != identity { _ = claim(node) }
    let run = Run(node: node, base: base, result: found, isChanged: isChanged, reads: reads)
    let snapshot = context.pointee.seen.snapshot
    let newest = node.pointee.latest
    // It was read while it was computed: what came of that is dropped, and it keeps the value that it has.
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
    // It is not what its closure makes of what it read, even where that is what it consumed.
    if keepsOldValue { node.pointee.flags |= Node.incomplete }
    context.pointee.endReads(run.reads)
    let until = validUntil(at: snapshot, isLate: isLate)
    defer { settleStaleness(of: node, isLate: isLate, context) }
    // What is unknown has no place in the order of snapshots: a pin that passes it by must not find it right for an earlier one.
    // One thread may compute it twice, one in the other, when a handler of the report reads it: then the outer one still
    // compares with what is there.
    if let newest, node.pointee.running == 0, isAlone || (!node.pointee.isUnknown && !isSeen(newest, except: context)) {
      let isSame = keepsOldValue || (!run.isChanged && newest == run.base)
      writeOver(newest, isSame ? nil : run, snapshot, until)
      if isAlone, newest.pointee.previous != nil { cutOlder(newest, node) }
      return run.result
    }
    return putBefore(newest, run, keepsOldValue: keepsOldValue, snapshot, until, context)
  }

  /// No other pin sees the newest value: a result changes places with it, or it stays and is right for other snapshots.
  private func writeOver(_ newest: VersionPointer, _ run: Run?, _ snapshot: UInt, _ until: UInt) {
    if let run {
      run.node.pointee.beginWriting()
      Graph.swapValues(run.result, newest, of: run.node)
      // Not compared with what is now the newest: then two further, which nothing that was compared is.
      newest.pointee.number = newest.pointee.number &+ (newest == run.base ? 1 : 2)
    }
    newest.pointee.validFrom = snapshot
    newest.pointee.validUntil.store(until, ordering: .releasing)
    run?.node.pointee.endWriting()
  }
  /// Another pin sees the newest value, or there is none: a version is put before it.
  ///
  /// - Returns: What is to be destroyed.
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
  /// Where a result is dropped, or for this pin alone: what is to be destroyed. Else nil, and at most what the node was taken for
  /// in a cycle has been forgotten.
  @inline(never)
  private mutating func keepPrivately(_ run: Run, _ context: ContextPointer) -> Private? {
    let node = run.node
    var number = context.pointee.isOverlaid ? Context.ofPin : Context.ofSnapshot
    if context.pointee.isSpecial, !context.pointee.isOverlaid {
      // What it was taken for in a cycle was for the values inside.
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

  /// Every dependency is at the snapshot what it was when the node was computed: so is the node.
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
    node.pointee.generation &+= 1  // the versions on its links are others
    if isLate {
      // Never so but for a node that was read in a cycle, whose subs then are not stale.
      invalidateLate(node, context)
      node.pointee.flags |= Node.stale | Node.lagging
    } else {
      node.pointee.flags &= ~(Node.stale | Node.lagging)
    }
  }
}
