/// What was taken out of the graph, to be destroyed outside the lock when no thread can be reading it.
typealias RetiredPointer = UnsafeMutablePointer<Retired>

struct Retired {
  let node: NodePointer?
  let versions: VersionPointer?
  let body: Unmanaged<Body>?
  /// What caused it, perhaps on another thread: what its destruction causes is deeper.
  let depth: Int
  /// Where it was taken out; of nothing else, this is what is destroyed.
  let graph: GraphPointer?
  var pin: UInt = 0
  var next: RetiredPointer?

  static func make(node: NodePointer, in graph: GraphPointer?) -> RetiredPointer {
    make(Retired(node: node, versions: nil, body: nil, depth: 0, graph: graph))
  }
  static func make(graph: GraphPointer) -> RetiredPointer {
    make(Retired(node: nil, versions: nil, body: nil, depth: 0, graph: graph))
  }
  /// Represents the versions that `KeptCopies` find when they are looked at again, which is not possible under the lock.
  static func makeRecheck() -> RetiredPointer {
    make(Retired(node: nil, versions: nil, body: nil, depth: 0, graph: nil))
  }
  static func make(_ retired: Retired) -> RetiredPointer {
    let pointer = RetiredPointer.allocate(capacity: 1)
    pointer.initialize(to: retired)
    return pointer
  }
  /// One list after the other.
  static func chain(_ first: RetiredPointer?, before rest: RetiredPointer?) -> RetiredPointer? {
    guard var last = first else { return rest }
    while let next = last.pointee.next { last = next }
    last.pointee.next = rest
    return first
  }
  /// A chain of versions, or one that is retired, of a node that may be freed before them.
  static func make(
    versions: VersionPointer, of node: NodePointer, depth: Int? = nil, in graph: GraphPointer? = nil
  ) -> RetiredPointer {
    make(
      Retired(
        node: nil, versions: versions, body: node.pointee.body.retain(), depth: depth ?? Int(node.pointee.olderDepth),
        graph: graph))
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
