/// An object that was taken out of the graph. It is destroyed outside the lock, when no thread can be reading it.
typealias RetiredPointer = UnsafeMutablePointer<Retired>

struct Retired {
  enum Content {
    case node(NodePointer)
    /// A chain of versions, or one retired version, of a node that may be freed before them. The body is retained.
    case versions(VersionPointer, Unmanaged<Body>)
    /// The memory of a version whose value has been destroyed.
    case memory(VersionPointer)
    /// A graph in which nothing is left.
    case graph(GraphPointer)
    /// The handlers of a value that is final. The list is retained.
    case handlers(Unmanaged<HandlerList>)
    /// The versions that `KeptCopies` finds at a recheck, which is not possible under the lock.
    case keptCopies
  }
  let content: Content
  /// The causal depth of the change that caused it, perhaps on another thread. A change that its destruction causes is deeper.
  let depth: Int
  /// The graph from which a node or versions were taken, if threads that are pinned there may be passing them.
  let graph: GraphPointer?
  /// How many pins the graph had had when it was taken out.
  var pin: UInt = 0
  var next: RetiredPointer?

  static func make(node: NodePointer, in graph: GraphPointer?) -> RetiredPointer { make(.node(node), in: graph) }
  static func make(graph: GraphPointer) -> RetiredPointer { make(.graph(graph)) }
  static func make(handlers list: Unmanaged<HandlerList>) -> RetiredPointer { make(.handlers(list.retain())) }
  static func makeRecheck() -> RetiredPointer { make(.keptCopies) }
  static func make(memoryOf version: VersionPointer) -> RetiredPointer { make(.memory(version)) }
  private static func make(_ content: Content, depth: Int = 0, in graph: GraphPointer? = nil) -> RetiredPointer {
    let pointer = RetiredPointer.allocate(capacity: 1)
    pointer.initialize(to: Retired(content: content, depth: depth, graph: graph))
    return pointer
  }
  /// Joins two lists, one after the other.
  static func chain(_ first: RetiredPointer?, before rest: RetiredPointer?) -> RetiredPointer? {
    guard var last = first else { return rest }
    while let next = last.pointee.next { last = next }
    last.pointee.next = rest
    return first
  }
  static func make(
    versions: VersionPointer, of node: NodePointer, depth: Int? = nil, in graph: GraphPointer? = nil
  ) -> RetiredPointer {
    make(
      .versions(versions, node.pointee.body.retain()), depth: depth ?? Int(node.pointee.olderDepth), in: graph)
  }
}

extension Graph {
  /// Keeps a retired object until the current pins have ended.
  mutating func keep(_ retired: RetiredPointer) {
    retired.pointee.pin = pins
    if let lastRetired { lastRetired.pointee.next = retired } else { firstRetired = retired }
    lastRetired = retired
  }
  var hasRetired: Bool { @inline(__always) get { firstRetired != nil || unseen != nil } }
}
