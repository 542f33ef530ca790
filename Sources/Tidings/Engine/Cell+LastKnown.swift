/// What is known of a value without computing it or noting a read.
struct LastKnown<Value> {
  /// Nil for a derived value that has never been read or observed.
  let value: Value?
  /// Something that it depends on has changed since.
  let isStale: Bool
}

extension Cell {
  var lastKnown: LastKnown<Value> {
    graph.withLock { _ in
      LastKnown(value: node.pointee.latest.map { Self.value($0).pointee }, isStale: node.pointee.has(Node.stale))
    }
  }
}
