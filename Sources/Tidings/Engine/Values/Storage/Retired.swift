/// What was taken out of the graph, to be destroyed outside the lock when no thread can be reading it.
typealias RetiredPointer = UnsafeMutablePointer<Retired>

struct Retired {
  enum Content {
    case node(NodePointer)
    /// A chain of versions, or one that is retired, of a node that may be freed before them. The body is retained.
    case versions(VersionPointer, Unmanaged<Body>)
    /// That of a version whose value has been destroyed.
    case memory(VersionPointer)
    /// A graph in which nothing is left.
    case graph(GraphPointer)
    /// The versions that `KeptCopies` find when they are looked at again, which is not possible under the lock.
    case keptCopies
  }
  let content: Content
  /// Of what caused it, perhaps on another thread: what its destruction causes is deeper.
  let depth: Int
  /// Where a node or versions were taken out, if threads that are pinned there may be passing them.
  let graph: GraphPointer?
  /// How many pins the graph had had when it was taken out.
  var pin: UInt = 0
  var next: RetiredPointer?

  static func make(node: NodePointer, in graph: GraphPointer?) -> RetiredPointer { make(.node(node), in: graph) }
  static func make(graph: GraphPointer) -> RetiredPointer { make(.graph(graph)) }
  static func makeRecheck() -> RetiredPointer { make(.keptCopies) }
  static func make(memoryOf version: VersionPointer) -> RetiredPointer { make(.memory(version)) }
  private static func make(_ content: Content, depth: Int = 0, in graph: GraphPointer? = nil) -> RetiredPointer {
    let pointer = RetiredPointer.allocate(capacity: 1)
    pointer.initialize(to: Retired(content: content, depth: depth, graph: graph))
    return pointer
  }
  /// One list after the other.
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
  /// It is destroyed when the pins of now have ended.
  mutating func keep(_ retired: RetiredPointer) {
    retired.pointee.pin = pins
    if let lastRetired { lastRetired.pointee.next = retired } else { firstRetired = retired }
    lastRetired = retired
  }
  var hasRetired: Bool { @inline(__always) get { firstRetired != nil || unseen != nil } }
}
