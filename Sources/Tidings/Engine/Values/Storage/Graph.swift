// Values that are connected: what depends on what, under one lock that is never held while user code runs.
//
// Graphs. A node joins a graph when it gets a handler, when it is computed, when a computation reads it, or when a transaction
// writes it; where a computation in one graph reads a node of another, the two are merged, see `Graph+Merging.swift`. So values
// that have nothing to do with each other share no lock.
//
// Time. Each commit of a source is stamped with the version clock, which advances only where the stamp would be that of a pin,
// see `VersionClock`; `epoch` is the stamp of the graph's last commit. A version is right for the snapshots [validFrom,
// validUntil). A thread that computes is pinned at one snapshot, and all reads of that computation, nested ones included, are of
// that snapshot: without a lock, since what a pin may look at does not change. The snapshot s is what all commits stamped s or
// less have made of the values, of the pin's own graph and of all others: a commit in another graph that would write over what is
// right at an announced snapshot keeps it.
//
// Why a value is right at a snapshot, and the invariants under the lock: `How values work`.
//
// What is rare is annotated with `_slowPath`: the usual way is then contiguous and keeps in registers what it needs. Without
// it a diamond took a tenth longer.
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
  /// Nodes whose word it is in, lists of handlers that look for their node through it, and graphs that were merged into it. When
  /// the count is 0, its memory is used again.
  var members = 0
  /// How many nodes ever joined it and what was merged into it. Of two graphs the one with more takes in the other (union by
  /// size): so each further graph on the way of a node that is never looked at has twice the number, and few are kept for it. Not
  /// `members`, which counts no node that names a merged graph, and falls: then each short-lived graph took in a long-lived one,
  /// which kept them all.
  var weight: UInt = 0
  /// The number of the last publication.
  var stamp: UInt = 0
  /// The number of the last pin.
  var pins: UInt = 0
  /// How many there are now.
  var pinned: UInt = 0
  var oldestPin: ContextPointer?
  var newestPin: ContextPointer?
  /// Which thread was pinned in it last, or made it.
  var thread: UInt = 0
  /// What pins may still look at, oldest first.
  var firstRetired: RetiredPointer?
  var lastRetired: RetiredPointer?
  /// The work list of invalidation: first subs of nodes that are stale.
  var pendingInvalidation = RawStack<LinkPointer>()
  /// Nodes that may have older versions than the newest, each with a reference, and the number of pins when it was last looked
  /// which of them have.
  var aged = RawStack<NodePointer>()
  var sweptAt: UInt = 0
  /// Versions whose values no pin sees, to be destroyed outside the lock.
  var unseen: RetiredPointer?
  /// The work list of nodes that nothing refers to any more.
  var unreferenced = RawStack<NodePointer>()
  /// Sources that stand for those of other graphs.
  var replicas = RawStack<NodePointer>()
  /// It is among those that are free, and the next of these.
  var isFree = true
  var nextFree: GraphPointer?
  /// Another for each use of its memory.
  var name: UInt = 0

  init(at address: GraphPointer) { self.address = UInt(bitPattern: address) }
  /// Under its lock, which a thread that has read its address before may take, too.
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
