extension Context {
  /// Tells the handlers of derived values what this thread's commits have made of them, until there is no more news.
  @inline(never)
  static func drain(_ context: ContextPointer, _ here: (any Actor)?) {
    guard context.pointee.snapshot == 0, context.pointee.journal == nil else { return }
    let depth = Frame.currentDepth + 1
    while !context.pointee.news.isEmpty {
      var wave = Wave(nodes: context.pointee.takeNews(), depth: depth)
      settle(&wave, context)
      tell(&wave, context, here)
    }
  }

  private static func settle(_ wave: inout Wave, _ context: ContextPointer) {
    func goOn(_ graph: inout Graph) -> (Errand, Remains?) {
      let step = graph.settle(&wave, context)
      guard case .done = step, context.pointee.memo.isEmpty else { return (step, nil) }
      return (step, graph.unpin(context))
    }
    var remains: Remains?
    var step = graph.withLock { graph -> Errand in
      graph.pin(context)
      let (step, rest) = goOn(&graph)
      remains = rest
      return step
    }
    while true {
      switch step {
      case .run(let node, let base):
        step = perform(node, base, context) { graph in
          let (step, rest) = goOn(&graph)
          remains = rest
          return step
        }
      case .circle(let node):
        step = report(node, context) { graph in
          let (step, rest) = goOn(&graph)
          remains = rest
          return step
        }
      case .compare(let comparison):
        let areEqual = compare(comparison, context)
        step = graph.withLock { graph in
          graph.conclude(comparison, areEqual: areEqual)
          let (step, rest) = goOn(&graph)
          remains = rest
          return step
        }
      case .done:
        if context.pointee.snapshot != 0 { remains = release(context) }
        if remains != nil || !context.pointee.graves.isEmpty { Bones.end(remains, context) }
        return
      }
    }
  }

  /// Outside the lock: whether what was told and the newest value are equal.
  static func compare(_ comparison: Comparison, _ context: ContextPointer) -> Bool {
    let values = comparison.node.pointee.body._withUnsafeGuaranteedRef { $0.values }
    defer { endRecord(comparison.told, of: comparison.node, context) }
    return untracked(context) {
      values.areEqual!(
        UnsafeMutableRawPointer(comparison.told) + values.offset,
        UnsafeMutableRawPointer(comparison.newest) + values.offset)
    }
  }

  static func tell(_ wave: inout Wave, _ context: ContextPointer, _ here: (any Actor)?) {
    let passage = Passage(here: here, ticket: nil)
    for index in 0..<wave.claims.count {
      let claimed = wave.claims[index]
      Unmanaged<HandlerList>.fromOpaque(claimed.list)
        ._withUnsafeGuaranteedRef { $0.deliverPending(claimed.claim, passage) }
    }
    for index in 0..<wave.refused.count {
      wave.refused[index].pointee.body._withUnsafeGuaranteedRef { $0.refuse(depth: wave.depth) }
    }
    let nodes = wave.nodes
    let refused = wave.refused
    let remains = graph.withLock { graph in
      for index in 0..<nodes.count { graph.release(nodes[index]) }
      for index in 0..<refused.count { graph.release(refused[index]) }
      return graph.collect()
    }
    wave.claims.free()
    wave.refused.free()
    context.pointee.giveBackNews(wave.nodes)
    Bones.end(remains, context)
  }
}
