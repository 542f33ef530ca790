// Destroys retired objects, outside the lock.
extension Retired {
  /// Keeps the memory of a retired version, whose value has been destroyed, while pinned threads may be passing it.
  @inline(never)
  private static func keep(memoryOf version: VersionPointer, in graph: GraphPointer?) {
    guard let graph else { return UnsafeMutableRawPointer(version).deallocate() }
    let isKept = Graph.withRoot(of: graph) { graph in
      if graph.oldestPin == nil { return false }
      graph.keep(make(memoryOf: version))
      return true
    }
    if !isKept { UnsafeMutableRawPointer(version).deallocate() }
  }

  /// Destroys them all. Destroying a closure may release more values, and destroying a value may replace others. These values wait
  /// in the context's destruction queue, so a chain of 100,000 is destroyed without a stack of that depth.
  static func destroy(_ first: RetiredPointer?, _ context: ContextPointer) {
    guard first != nil || !context.pointee.destruction.isEmpty else { return }
    if context.pointee.destruction.isUnderWay { return DeferredDestruction.add(first, context) }
    context.pointee.destruction.isUnderWay = true
    destroyAll(first, context)
    while true {
      if context.pointee.seen.snapshot == 0 { DeferredDestruction.destroyAll(context) }
      if context.pointee.destruction.unreferenced.isEmpty || !context.pointee.isPlain { break }
      destroyAll(Graph.release(context.pointee.destruction.unreferenced.pop(), for: context), context)
    }
    context.pointee.destruction.isUnderWay = false
  }
  static func destroyAll(_ first: RetiredPointer?, _ context: ContextPointer) {
    let outer = context.pointee.scope.notificationDepth
    defer { context.pointee.scope.notificationDepth = outer }
    var next = first
    while let pointer = next {
      let retired = pointer.move()
      pointer.deallocate()
      next = retired.next
      context.pointee.scope.notificationDepth = max(outer, retired.depth)
      switch retired.content {
      case .node(let node): destroy(node, in: retired.graph)
      case .versions(let versions, let body):
        destroy(versions, body, in: retired.graph)
        body.release()
      case .memory(let version): UnsafeMutableRawPointer(version).deallocate()
      case .graph(let graph): context.pointee.memory.graphs.giveBack(graph)
      case .handlers(let list):
        list._withUnsafeGuaranteedRef { $0.end() }
        list.release()
      case .keptCopies: next = chain(KeptCopies.recheck(context), before: next)
      }
    }
  }

  private static func destroy(_ node: NodePointer, in graph: GraphPointer?) {
    ObjectObservation.destroyed(node)
    let body = node.pointee.body
    destroy(node.pointee.latest, body, home: home(of: node), in: graph)
    destroy(node.pointee.notified, body, in: graph)
    node.pointee.list?._withUnsafeGuaranteedRef { $0.releaseNodeReference() }
    let withHome = node.pointee.isInPlace
    node.deinitialize(count: 1)
    Node.deallocate(node, withHome: withHome)
    body.release()
  }
  private static func destroy(
    _ versions: VersionPointer?, _ body: Unmanaged<Body>, home: VersionPointer? = nil, in graph: GraphPointer?
  ) {
    let values = body._withUnsafeGuaranteedRef { $0.values }
    var next = versions
    while let version = next {
      let isRetired = version.pointee.isRetired
      next = isRetired ? nil : version.pointee.previous
      values.destroy?(UnsafeMutableRawPointer(version) + values.offset)
      if version == home { continue }
      if isRetired { keep(memoryOf: version, in: graph) } else { UnsafeMutableRawPointer(version).deallocate() }
    }
  }
}

/// Releases a reference to a node.
@usableFromInline
func releaseReference(to node: NodePointer) {
  let context = Context.current
  context.pointee.destruction.unreferenced.push(node)
  // A closure under way may have read the node, which must live until that read is linked. Nothing is destroyed in a transaction
  // either.
  if context.pointee.isPlain, !context.pointee.destruction.isUnderWay { Retired.destroy(nil, context) }
}
