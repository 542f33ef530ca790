import Synchronization

extension KeptCopies {
  private struct Sources: @unchecked Sendable {  // protected by the lock
    var nodes = RawStack<NodePointer>()
  }
  private static let sources = Lock(Sources())

  static func add(_ node: NodePointer?, until end: UInt) {
    sources.withLock {
      if let node { $0.nodes.push(node) }
      until.pointee.store(max(end, until.pointee.load(ordering: .relaxed)), ordering: .relaxed)
    }
  }
  /// Removes a source from the list. False if a thread is about to recheck it.
  static func remove(_ node: NodePointer) -> Bool {
    sources.withLock { sources in
      guard let index = (0..<sources.nodes.count).first(where: { sources.nodes[$0] == node }) else { return false }
      sources.nodes[index] = sources.nodes.last.pointee
      _ = sources.nodes.pop()
      if sources.nodes.isEmpty { until.pointee.store(0, ordering: .relaxed) }
      return true
    }
  }
  /// Rechecks all sources of which a copy is kept. Returns the objects that are to be destroyed.
  @inline(never)
  static func recheck(_ context: ContextPointer) -> RetiredPointer? {
    var nodes = sources.withLock { sources in
      until.pointee.store(0, ordering: .relaxed)
      defer { sources.nodes = RawStack() }
      return sources.nodes
    }
    defer { nodes.free() }
    var retired: RetiredPointer?
    while !nodes.isEmpty {
      let node = nodes.pop()
      retired = Retired.chain(Graph.with(node) { $0.recheck(at: node, context) }, before: retired)
    }
    return retired
  }
}

extension Graph {
  /// Records that a copy of the value that a source had before `end` is kept for a pin in another graph.
  @inline(never)
  mutating func keepElsewhere(_ node: NodePointer, until end: UInt) {
    let isNew = !node.pointee.isKept
    if isNew {
      node.pointee.isKept = true
      retain(node)
    }
    KeptCopies.add(isNew ? node : nil, until: end)
    // The pin may have ended before it could find this record.
    trimNow(node)
    if node.pointee.olderCount == 0, forgetKept(node) { release(node) }
  }
  /// - Returns: True if the caller has to subtract one reference to the node.
  @inline(never)
  func forgetKept(_ node: NodePointer) -> Bool {
    guard node.pointee.isKept, KeptCopies.remove(node) else { return false }
    node.pointee.isKept = false
    return true
  }
  fileprivate mutating func recheck(at node: NodePointer, _ context: ContextPointer) -> RetiredPointer? {
    node.pointee.isKept = false
    trimNow(node)
    // Versions that pins of this graph see are swept when those pins end.
    if node.pointee.olderCount > 0, !node.pointee.has(Node.aged) {
      keepElsewhere(node, until: node.pointee.latest.unsafelyUnwrapped.pointee.validFrom)
    }
    release(node)
    return collect(for: context)
  }
}
