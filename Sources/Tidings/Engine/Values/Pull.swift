// The unlocked side: computes what the graph asks for, one lock pair a computation.

extension Context {
  /// The record of a node at the pinned snapshot.
  static func pull(_ node: NodePointer, _ context: ContextPointer) -> (record: RecordPointer, version: UInt) {
    let base = context.pointee.climb.count
    var step = graph.withLock { graph -> Errand in
      if graph.known(node, context) != nil { return .done }
      return graph.enter(node, context, base: base) ?? graph.climb(context, to: base)
    }
    while true {
      switch step {
      case .run(let next, let old): step = perform(next, old, context) { $0.climb(context, to: base) }
      case .circle(let next): step = report(next, context) { $0.climb(context, to: base) }
      case .compare: fatalError("nothing is told here")
      case .done:
        if let own = context.pointee.memo[node] { return (own.record, own.version) }
        if let record = node.pointee.record(at: context.pointee.snapshot) { return (record, record.pointee.version) }
        // Another thread has published something that says no more about this snapshot.
        step = graph.withLock { graph in
          if graph.known(node, context) != nil { return .done }
          return graph.enter(node, context, base: base) ?? graph.climb(context, to: base)
        }
      }
    }
  }

  /// Computes, publishes, and goes on in the same locked region.
  @inline(__always)
  static func perform(
    _ node: NodePointer, _ base: RecordPointer?, _ context: ContextPointer, _ goOn: (inout Graph) -> Errand
  ) -> Errand {
    let run = compute(node, base, context)
    let (step, dead) = graph.withLock { graph -> (Errand, RecordPointer?) in
      let dead = graph.publish(run, context)
      return (goOn(&graph), dead)
    }
    if let dead { endRecord(dead, of: node, context) }
    return step
  }

  @inline(__always)
  private static func compute(_ node: NodePointer, _ base: RecordPointer?, _ context: ContextPointer) -> Run {
    node.pointee.body._withUnsafeGuaranteedRef { body in
      let values = body.values
      let result = context.pointee.takeRecord(size: values.size, alignment: values.alignment)
      let wasTracking = context.pointee.isTracking
      context.pointee.isTracking = true
      context.pointee.isQuick = !context.pointee.isSpecial
      context.pointee.computing &+= 1
      let reads = context.pointee.beginReads()
      let isChanged = Frame.push(body, depth: Frame.computation) {
        body.compute.unsafelyUnwrapped(
          base.map { UnsafeMutableRawPointer($0) + values.offset }, UnsafeMutableRawPointer(result) + values.offset)
      }
      context.pointee.computing &-= 1
      context.pointee.isTracking = wasTracking
      context.pointee.isQuick = wasTracking && !context.pointee.isSpecial
      return Run(node: node, base: base, result: result, isChanged: isChanged, reads: reads)
    }
  }

  @inline(__always)
  static func endRecord(_ record: RecordPointer, of node: NodePointer, _ context: ContextPointer) {
    let values = node.pointee.body._withUnsafeGuaranteedRef { $0.values }
    if let end = values.end {
      untracked(context) { end(UnsafeMutableRawPointer(record) + values.offset) }
    }
    context.pointee.giveBack(record, size: values.size, alignment: values.alignment)
  }

  /// User code that is no part of the closure being computed.
  @inline(__always)
  static func untracked<R, E: Error>(_ context: ContextPointer, _ body: () throws(E) -> R) throws(E) -> R {
    let (wasTracking, wasQuick) = (context.pointee.isTracking, context.pointee.isQuick)
    context.pointee.isTracking = false
    context.pointee.isQuick = false
    defer {
      context.pointee.isTracking = wasTracking
      context.pointee.isQuick = wasQuick && !context.pointee.isSpecial
    }
    return try body()
  }

  // MARK: Pins

  /// Gives up the pin, and what was kept for it alone.
  static func release(_ context: ContextPointer) -> Remains? {
    let own = context.pointee.memo.takeAll()
    context.pointee.isOverlaid = false
    for (node, record) in own { endRecord(record, of: node, context) }
    return graph.withLock { $0.unpin(context) }
  }

  /// Ends the pin of a reader, and what had to wait for it.
  static func unpin(_ context: ContextPointer) {
    let remains = release(context)
    if remains != nil || !context.pointee.graves.isEmpty { Bones.end(remains, context) }
    if !context.pointee.news.isEmpty { drain(context, nil) }
  }

  // MARK: Circles

  @inline(never)
  static func report(
    _ node: NodePointer, _ context: ContextPointer, _ goOn: (inout Graph) -> Errand
  ) -> Errand {
    let body = node.pointee.body.takeUnretainedValue()
    let names = Frame.names
    let labels = Array(names.suffix(from: names.lastIndex(of: body.name) ?? 0)) + [body.name]
    let chain = labels.suffix(16).joined(separator: " → ")
    guard node.pointee.latest != nil || context.pointee.memo[node] != nil else {
      fatalError("Tidings: '\(body.name)' has no value yet and needs its own to compute it (\(chain))")
    }
    untracked(context) {
      Diagnosis.report(
        Diagnosis.Report(
          message: "the derived value '\(body.name)' depends on itself, and keeps the value that it has (\(chain))",
          labels: labels), about: body)
    }
    return graph.withLock { graph in
      if graph.known(node, context) == nil, let newest = node.pointee.latest {
        _ = context.pointee.memo.keep(Memo.Entry(record: newest, version: inCircle, isOwn: false), for: node)
      }
      return goOn(&graph)
    }
  }
}
