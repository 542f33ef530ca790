import Synchronization

// The part of the validation outside the lock: computes what the graph asks for, with one lock pair for each computation.

extension Context {
  /// The version of a node at the pinned snapshot, and the node that has it: the given node, or its replica.
  @usableFromInline
  static func pull(
    _ asked: NodePointer, _ context: ContextPointer
  ) -> (node: NodePointer, version: VersionPointer, number: UInt) {
    let base = context.pointee.validationStack.count
    let node = Graph.cover(asked, context)
    // A replica is a source, so it is read without the lock.
    if _slowPath(node != asked), !context.pointee.isSpecial,
      let version = version(of: node, at: context.pointee.seen.snapshot)
    {
      return (node, version, version.pointee.number)
    }
    var step = Graph.withOwn(context) { $0.find(node, context, base: base) }
    while true {
      while case .compute(let target) = step {
        // A few may use the reserve: a handler that is called where the stack is nearly used up reads values.
        if _slowPath(isStackUsed), CausalFrame.isInDeepComputation { stopRecursion(at: target, context) }
        let wasTracking = context.pointee.isTracking
        if context.pointee.seen.quick == 0 { context.pointee.isTracking = true }
        let run = compute(target, context)
        if context.pointee.isTracking != wasTracking { context.pointee.isTracking = wasTracking }
        let published = Graph.withOwn(context) { $0.publish(run, context, to: base) }
        if let replaced = published.replaced { destroyVersion(replaced, of: target, context) }
        step = published.next
      }
      if case .reportCycle(let target) = step {
        reportCycle(through: target, context)
        step = Graph.withOwn(context) { $0.resume(context, to: base) }
        continue
      }
      if let own = context.pointee.overlay[node] { return (node, own.version, own.number) }
      if let version = version(of: node, at: context.pointee.seen.snapshot) {
        return (node, version, version.pointee.number)
      }
      // Another thread has published a version that does not cover this snapshot.
      step = Graph.withOwn(context) { $0.find(node, context, base: base) }
    }
  }

  /// Runs the closure of a node, for a thread that tracks reads. A plain result is written to the thread's scratch slot and copied
  /// from there. Taking a version for each result, and giving the old one back, took 30 of 390 instructions.
  @inline(__always)
  static func compute(_ node: NodePointer, _ context: ContextPointer) -> Run {
    let base = VersionPointer(bitPattern: node.pointee.newest.load(ordering: .acquiring))
    let result = node.pointee.isInPlace ? context.pointee.scratch : context.pointee.memory.takeVersion(for: node)
    let reads = context.pointee.beginReads()
    let offset = node.pointee.valueOffset
    let isChanged = node.pointee.body._withUnsafeGuaranteedRef { body in
      CausalFrame.push(body, depth: CausalFrame.computation(validating: context.pointee.validationStack.count)) {
        body.compute(
          base.map { UnsafeMutableRawPointer($0) + offset }, UnsafeMutableRawPointer(result) + offset)
      }
    }
    return Run(node: node, base: base, result: result, isChanged: isChanged, reads: reads)
  }

  @inline(__always)
  static func destroyVersion(_ version: VersionPointer, of node: NodePointer, _ context: ContextPointer) {
    if node.pointee.isInPlace {
      if version == context.pointee.scratch { return }
    } else {
      if context.pointee.seen.snapshot != 0, !node.pointee.isQuiet {
        return DeferredDestruction.add(version, of: node, context)
      }
      destroyValue(of: version, node)
    }
    context.pointee.memory.giveBack(version, of: node)
  }
  @inline(never)
  static func destroyValue(of version: VersionPointer, _ node: NodePointer) {
    node.pointee.body._withUnsafeGuaranteedRef {
      $0.values.destroy?(UnsafeMutableRawPointer(version) + node.pointee.valueOffset)
    }
  }

  /// Runs user code that is not part of the closure being computed.
  @inline(__always)
  static func untracked<R, E: Error>(_ context: ContextPointer, _ body: () throws(E) -> R) throws(E) -> R {
    let wasTracking = context.pointee.isTracking
    context.pointee.isTracking = false
    defer { context.pointee.isTracking = wasTracking }
    return try body()
  }

  /// Runs code that is not part of the closure being computed and may emit, such as the receivers of reports.
  static func outsideComputation(_ body: () -> Void) {
    guard CausalFrame.isInComputation, let context = currentIfAny else { return body() }
    untracked(context) { CausalFrame.outside(body) }
  }

  /// Runs `body` with separate notifications: those that its sets cause do not wait for the handler in which this thread is.
  static func withOwnNotifications(_ body: () -> Void) {
    guard let context = currentIfAny, context.pointee.seen.notifying != 0, context.pointee.seen.snapshot == 0 else {
      return body()
    }
    Propagation.numberIfRecorded(context)
    let (held, notifying) = (context.pointee.notifications.hold(), context.pointee.seen.notifying)
    context.pointee.seen.notifying = 0
    Propagation.keepingOuter(context) {
      // The outermost notification in there ends the number that it has inherited.
      context.pointee.scope.carriedPropagation = context.pointee.scope.propagation
      body()
    }
    context.pointee.seen.notifying = notifying
    context.pointee.notifications.giveBack(held)
  }

  // MARK: Pins

  /// Ends the pin, and releases the values that were kept for it alone.
  static func release(_ context: ContextPointer) -> RetiredPointer? {
    let own = context.pointee.forgetAll()
    context.pointee.isOverlaid = false
    for (node, version) in own { destroyVersion(version, of: node, context) }
    return Graph.withOwn(context) { $0.unpin(context) }
  }

  // MARK: Recursion

  /// A closure reads a value that must be computed first, whose closure reads another one, and so on. The next read of a closure is
  /// not known before it runs, so this recursion cannot be unrolled. It is reported here, because a stack overflow gives no
  /// message.
  @inline(never)
  private static func stopRecursion(at node: NodePointer, _ context: ContextPointer) -> Never {
    let name = node.pointee.body._withUnsafeGuaranteedRef { $0.name }
    let names = CausalFrame.validationNames(context.pointee.validationStack)
    fatalError(
      """
      Tidings: the stack of this thread has no room to compute '\(name)': \(names.count) derived values are being computed, each \
      in the middle of the one that reads it (\(CausalFrame.chain(names + [name]))). Read such a chain from its beginning, or on a \
      thread with a larger stack
      """)
  }

  // MARK: Cycles

  @inline(never)
  @_optimize(size)
  static func reportCycle(through node: NodePointer, _ context: ContextPointer) {
    let body = node.pointee.body.takeUnretainedValue()
    // The values that are being computed or validated, or are about to be. The cycle begins at the last occurrence of the value.
    let way = CausalFrame.validationNames(context.pointee.validationStack)
    let labels = CausalFrame.round(of: way, to: body.name)
    let chain = CausalFrame.chain(labels)
    guard let value = node.pointee.latest else {
      fatalError("Tidings: cycle: '\(body.name)' has no value yet and needs its own to compute it (\(chain))")
    }
    Diagnostics.report(
      Diagnostics.Report(
        message:
          "cycle: the derived value '\(body.name)' depends on itself, and keeps the value that it has (\(chain))",
        labels: labels), about: body)
    Graph.withOwn(context) { graph in
      if graph.number(node, context) == nil {
        // Use a copy, because a version that no pin sees may be overwritten.
        let own = Graph.copy(of: value, in: node)
        _ = context.pointee.remember(SnapshotOverlay.Entry(version: own, number: inCycle), for: node)
      }
    }
  }
}

/// Runs a part of the closure that is being computed, and says whether it has read values. They are inputs of the computation, as all
/// that the closure reads.
package func notingReads<R>(_ body: () -> R) -> (result: R, hasRead: Bool) {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return (body(), false) }
  let (start, ownWrites) = (context.pointee.beginReads(), context.pointee.readsOfOwnWrites)
  let result = body()
  let hasNoted = context.pointee.joinReads(start)
  return (result, hasNoted || context.pointee.readsOfOwnWrites != ownWrites)
}

/// Runs `body` without noting its reads.
func withoutNoting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return try body() }
  return try Context.untracked(context, body)
}
