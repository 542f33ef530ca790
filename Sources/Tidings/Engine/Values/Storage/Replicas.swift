import Synchronization

/// The nodes that stand for one source in the graphs of other threads: each is a source of its own there, with the same value,
/// number and stamp, so that threads which compute from one source share no lock.
///
/// The nodes are those that are linked, or about to be: a replica that nothing reads any more is retired. A node is added under the
/// locks of both graphs and removed under that of its own, so a thread that holds the locks of all has all of them.
final class Replicas: Sendable {
  private struct Nodes: @unchecked Sendable {  // protected by the lock
    var all = RawStack<NodePointer>()
  }
  private let nodes = Lock(Nodes())
  /// The address of the source, to be compared and not followed: replicas may live longer.
  let source: UInt

  /// A commit takes the lock of each graph in which there is one: further threads' graphs are merged into one of these.
  static var most: Int { 16 }

  init(of source: NodePointer) { self.source = UInt(bitPattern: source) }
  deinit { nodes.withLock { $0.all.free() } }

  @_optimize(size)
  func add(_ node: NodePointer) { nodes.withLock { $0.all.push(node) } }
  @_optimize(size)
  func remove(_ node: NodePointer) { nodes.withLock { _ = $0.all.remove(node) } }
  /// To be freed by the caller.
  @_optimize(size)
  func copy() -> RawStack<NodePointer> {
    nodes.withLock { nodes in
      var copy = RawStack<NodePointer>()
      for index in 0..<nodes.all.count { copy.push(nodes.all[index]) }
      return copy
    }
  }
  /// The graph of each, as far as can be seen without its lock; to be freed by the caller. Found under the lock, while none of the
  /// nodes can be destroyed.
  @_optimize(size)
  func graphs() -> RawStack<GraphPointer> {
    nodes.withLock { nodes in
      var graphs = RawStack<GraphPointer>()
      for index in 0..<nodes.all.count { graphs.push(Graph.root(of: nodes.all[index]).unsafelyUnwrapped) }
      return graphs
    }
  }
}

extension Replicas {
  /// A graph in which there is one that this thread has made; or, if there are no more to be made, one of another's.
  @_optimize(size)
  func graph(for context: ContextPointer) -> GraphPointer? {
    nodes.withLock { nodes in
      for index in 0..<nodes.all.count
      where nodes.all[index].pointee.reservation.load(ordering: .relaxed) == UInt(bitPattern: context) {
        return Graph.root(of: nodes.all[index])
      }
      if nodes.all.count < Self.most { return nil }
      return Graph.root(of: nodes.all[Int(UInt(bitPattern: context) >> 8) & (Self.most - 1)])
    }
  }
}

extension RawStack where Element == NodePointer {
  /// The last one takes its place. False if it is not there.
  @_optimize(size)
  mutating func remove(_ node: NodePointer) -> Bool {
    for index in 0..<count where self[index] == node {
      self[index] = last.pointee
      _ = pop()
      return true
    }
    return false
  }
}

extension NodePointer {
  /// Of a source that has replicas or had some, and of these: nil of all others.
  var replicas: Replicas? { pointee.body._withUnsafeGuaranteedRef { $0.replicas } }
}

// A replica is neither validated nor notified: it uses these fields for when its graph is merged with another.
extension Node {
  /// How many commits in a row found its graph idle.
  var idleCommits: UInt16 {
    get { validating }
    set { validating = newValue }
  }
  /// How many pins its graph had had at the last commit.
  var pinsAtCommit: UInt {
    get { notifiedNumber }
    set { notifiedNumber = newValue }
  }
}
