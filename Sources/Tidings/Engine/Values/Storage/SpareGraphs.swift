/// Graphs that are free and that no thread keeps.
private struct GraphStore: @unchecked Sendable {  // protected by its lock
  private var first: GraphPointer?
  private var names: UInt = 0
  static let shared = Lock(GraphStore())

  mutating func take() -> GraphPointer? {
    guard let graph = first else { return nil }
    first = graph.pointee.nextFree
    return graph
  }
  mutating func giveBack(_ graph: GraphPointer) {
    graph.pointee.nextFree = first
    first = graph
  }
  mutating func takeNames(_ count: UInt) -> UInt {
    defer { names += count }
    return names
  }
}

/// Free graphs that a thread keeps for the next values that it connects. So two threads that make and drop derived values write no
/// cache line of each other. Without them, `contention: cores: make and drop a derived value` counts 93 accesses to such lines.
struct SpareGraphs {
  private var first: GraphPointer?
  private(set) var count = 0
  private var name: UInt = 0
  private static var most: Int { 8 }
  /// How many names a thread takes at a time.
  private static var run: UInt { 256 }

  mutating func take() -> GraphPointer {
    let graph: GraphPointer
    if let own = first {
      graph = own
      first = own.pointee.nextFree
      count -= 1
    } else {
      graph = GraphStore.shared.withLock { $0.take() } ?? Self.make()
    }
    if name & (Self.run - 1) == 0 { name = GraphStore.shared.withLock { $0.takeNames(Self.run) } }
    name += 1
    graph.pointee.name = name
    graph.pointee.weight = 0
    return graph
  }
  private static func make() -> GraphPointer {
    // Allocate whole cache lines; otherwise two threads would write the same line.
    let size = (MemoryLayout<Graph>.size + 63) & ~63
    let graph = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
      .bindMemory(to: Graph.self, capacity: 1)
    graph.initialize(to: Graph(at: graph))
    return graph
  }

  mutating func giveBack(_ graph: GraphPointer) {
    // A thread that read its address earlier may hold its lock.
    Graph.lock(graph)
    graph.pointee.markFree()
    Graph.unlock(graph)
    if count == Self.most { return GraphStore.shared.withLock { $0.giveBack(graph) } }
    graph.pointee.nextFree = first
    first = graph
    count += 1
  }
  /// Gives back all graphs when the thread ends.
  mutating func giveBackAll() {
    while let graph = first {
      first = graph.pointee.nextFree
      count -= 1
      GraphStore.shared.withLock { $0.giveBack(graph) }
    }
  }
}
