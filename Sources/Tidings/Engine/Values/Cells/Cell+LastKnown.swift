extension Cell {
  /// The newest value, without computing it or noting a read; nil for a derived value that has never been read or observed.
  /// `isStale` says whether a dependency has changed since.
  var lastKnown: (value: Value?, isStale: Bool) {
    let graph = Graph.take(of: node)
    defer { Graph.giveBack(graph, of: node) }
    let isStale = node.pointee.has(Node.stale)
    // Do not use `map` here or elsewhere in generic code, where it is not specialised.
    if let latest = node.pointee.latest { return (Self.value(latest).pointee, isStale) }
    return (nil, isStale)
  }
}

extension Cell {
  /// The body of the node, which has the node's name also while there are no handlers.
  var body: Body { node.pointee.body.takeUnretainedValue() }
  var liveCount: Int { knownDelivery?.liveCount ?? 0 }
}
