extension Cell {
  /// What is known of the value without computing it or noting a read: nil for a derived value that has never been read or
  /// observed, and whether something that it depends on has changed since.
  var lastKnown: (value: Value?, isStale: Bool) {
    let graph = Graph.take(of: node)
    defer { Graph.giveBack(graph, of: node) }
    let isStale = node.pointee.has(Node.stale)
    // Not `map`, here and elsewhere in generic code, where it is not specialised.
    if let latest = node.pointee.latest { return (Self.value(latest).pointee, isStale) }
    return (nil, isStale)
  }
}

extension Cell {
  /// What it is called, also while it has no handlers.
  var body: Body { node.pointee.body.takeUnretainedValue() }
  var liveCount: Int { knownDelivery?.liveCount ?? 0 }
}
