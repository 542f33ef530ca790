import Synchronization

/// The nodes that stand for one source in the graphs of other threads. Each is a separate source there, with the same value, number
/// and stamp. So threads that compute from one source share no lock.
///
/// The list has the replicas that are linked, or are about to be: a replica that no value reads any more is retired. A replica is
/// added under the locks of both graphs and removed under the lock of its own. So a thread that holds the locks of all graphs sees
/// all replicas.
final class Replicas: Sendable {
  private struct Nodes: @unchecked Sendable {  // protected by the lock
    var all = RawStack<NodePointer>()
  }
  private let nodes = Lock(Nodes())
  /// The address of the source. Compare it only, because replicas may live longer than the source.
  let source: UInt

  /// The most replicas of one source. A commit takes the lock of each graph that has one, so the graphs of further threads are
  /// merged with one of these.
  static var most: Int { 16 }

  init(of source: NodePointer) { self.source = UInt(bitPattern: source) }
  deinit { nodes.withLock { $0.all.free() } }

  @_optimize(size)
  func add(_ node: NodePointer) { nodes.withLock { $0.all.push(node) } }
  @_optimize(size)
  func remove(_ node: NodePointer) { nodes.withLock { _ = $0.all.remove(node) } }
  /// A copy of the list of replicas. The caller frees it.
  @_optimize(size)
  func copy() -> RawStack<NodePointer> {
    nodes.withLock { nodes in
      var copy = RawStack<NodePointer>()
      for index in 0..<nodes.all.count { copy.push(nodes.all[index]) }
      return copy
    }
  }
  /// The graph of each replica, as far as can be seen without the graph's lock. The caller frees the list. The graphs are found
  /// under the lock of the list, while no replica can be destroyed.
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
  /// A graph with a replica that this thread has made. If no more replicas may be made, a graph with a replica of another thread.
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
  /// Removes a node; the last one takes its place. False if the node is not there.
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
  /// The list of replicas, for a source that has or had some and for its replicas. Nil for all other nodes.
  var replicas: Replicas? { pointee.body._withUnsafeGuaranteedRef { $0.replicas } }
}

// A replica is neither validated nor notified. It uses those fields to decide when its graph is merged with another.
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
