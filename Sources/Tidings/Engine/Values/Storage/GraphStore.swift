/// Graphs that are free.
enum GraphStore {
  private struct Free: @unchecked Sendable {  // protected by the lock
    var first: GraphPointer?
    var taken: UInt = 0
  }
  private static let free = Lock(Free())

  static func take() -> GraphPointer {
    let known = free.withLock { free -> GraphPointer? in
      guard let first = free.first else { return nil }
      free.first = first.pointee.nextFree
      free.taken += 1
      first.pointee.name = free.taken
      first.pointee.weight = 0
      return first
    }
    if let known { return known }
    // In whole cache lines, or two threads would write one.
    let size = (MemoryLayout<Graph>.size + 63) & ~63
    let graph = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
      .bindMemory(to: Graph.self, capacity: 1)
    graph.initialize(to: Graph(at: graph))
    graph.pointee.name = free.withLock { free in
      free.taken += 1
      return free.taken
    }
    return graph
  }
  static func giveBack(_ graph: GraphPointer) {
    // A thread that has read its address before may have its lock.
    Graph.lock(graph)
    graph.pointee.markFree()
    Graph.unlock(graph)
    free.withLock { free in
      graph.pointee.nextFree = free.first
      free.first = graph
    }
  }
}
