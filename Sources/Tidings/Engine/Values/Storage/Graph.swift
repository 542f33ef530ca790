// A graph is a set of connected values and their dependencies, under one lock. The lock is never held while user code runs.
//
// Graphs. A node joins a graph when it gets a handler, when it is computed, when a computation reads it, or when a transaction
// writes it. If a computation in one graph reads a node of another, the two are merged, see `Graph+Merging.swift`. So unconnected
// values share no lock.
//
// Time. Each commit of a source is stamped with the version clock, see `VersionClock`. The clock advances only if the stamp would
// be the snapshot of a pin. `epoch` is the stamp of the graph's last commit. A version is right for the snapshots [validFrom,
// validUntil). A thread that computes is pinned at one snapshot. All reads of that computation, nested ones included, are of that
// snapshot. They take no lock, because a value that a pin may read does not change. The snapshot s is the state of all values, in
// all graphs, after the commits stamped s or less. A commit that would overwrite a value which is right at a snapshot announced in
// another graph keeps that value.
//
// The page `How values work` explains why a value is right at a snapshot, and lists the invariants under the lock.
//
// Rare branches are annotated with `_slowPath`, so the usual path is contiguous and keeps its values in registers. Without it a
// diamond took 10 % longer.
import Synchronization

typealias GraphPointer = UnsafeMutablePointer<Graph>

struct Graph: ~Copyable {
  /// The stamp of the last commit.
  var epoch: UInt = 0
  private let lock = GraphLock()
  /// The address of the graph that this one was merged into; 0 for none. Written under the locks of both.
  let mergedInto = Atomic<UInt>(0)
  /// Its own address.
  let address: UInt
  /// Counts the nodes whose word names this graph, the handler lists that find their node through it, and the graphs merged into
  /// it. When the count is 0, the graph's memory is reused.
  var members = 0
  /// How many nodes ever joined it and the graphs merged into it. When two graphs are merged, the one with the greater weight takes
  /// in the other (union by size). So each further graph on the way of a node that is never looked at has twice the weight, and few
  /// are kept for it.
  ///
  /// `members` cannot be used for this: it does not count nodes that name a merged graph, and it decreases. With it, each
  /// short-lived graph took in a long-lived one, which kept them all.
  var weight: UInt = 0
  /// The number of the last publication.
  var stamp: UInt = 0
  /// The number of the last pin.
  var pins: UInt = 0
  /// The number of current pins.
  var pinned: UInt = 0
  var oldestPin: ContextPointer?
  var newestPin: ContextPointer?
  /// The thread that was pinned in it last, or that made it.
  var thread: UInt = 0
  /// Retired objects that pins may still read, oldest first.
  var firstRetired: RetiredPointer?
  var lastRetired: RetiredPointer?
  /// The work list of invalidation: first subs of nodes that are stale. Or of finality: first subs of nodes that are final.
  var pendingInvalidation = RawStack<LinkPointer>()
  /// Nodes that may have versions before the newest, each with a reference. `sweptAt` is the number of the last pin when they were
  /// last swept.
  var aged = RawStack<NodePointer>()
  var sweptAt: UInt = 0
  /// Versions whose values no pin sees, to be destroyed outside the lock.
  var unseen: RetiredPointer?
  /// The work list of nodes that nothing refers to any more.
  var unreferenced = RawStack<NodePointer>()
  /// The replicas in this graph, which stand for sources of other graphs.
  var replicas = RawStack<NodePointer>()
  /// Whether the graph is free, and the next free graph.
  var isFree = true
  var nextFree: GraphPointer?
  /// A new name for each use of the memory.
  var name: UInt = 0

  init(at address: GraphPointer) { self.address = UInt(bitPattern: address) }
  /// Call under the graph's lock, which a thread that read the address earlier may also take.
  mutating func markFree() {
    isFree = true
    mergedInto.store(0, ordering: .releasing)
  }
  var identity: UInt { @inline(__always) get { address } }
  var pointer: GraphPointer { GraphPointer(bitPattern: address).unsafelyUnwrapped }

  @inline(__always)
  static func lock(_ graph: GraphPointer) { GraphLock.take(lock(of: graph)) }
  @inline(__always)
  static func unlock(_ graph: GraphPointer) { GraphLock.giveBack(lock(of: graph)) }
  @inline(__always)
  private static func lock(of graph: GraphPointer) -> UnsafeMutablePointer<GraphLock> {
    (UnsafeMutableRawPointer(graph) + MemoryLayout<UInt>.size).assumingMemoryBound(to: GraphLock.self)
  }

  /// Takes a link out of its dep's subs.
  @inline(__always)
  func detach(_ link: LinkPointer) {
    let dep = link.pointee.dep
    let (previous, next) = (link.pointee.previousSub, link.pointee.nextSub)
    if let previous { previous.pointee.nextSub = next } else { dep.pointee.subs = next }
    if let next { next.pointee.previousSub = previous } else { dep.pointee.lastSub = previous }
  }
  mutating func retain(_ node: NodePointer) { node.pointee.references &+= 1 }
}
