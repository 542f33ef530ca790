import Synchronization

/// A lock for regions that are short and many, two for each computation. A compare-exchange and a store, 10 ns a pair where
/// `Mutex` takes 16 to 20.
///
/// A thread that finds it taken tries for a moment and then parks, so that one which nothing preempts lets the holder continue. The
/// thread that gives it back wakes one. It may look for parked threads before it sees the latest: to order the two would be a
/// second read-modify-write, a quarter of a diamond. So parking lasts a millisecond at most.
///
/// It is held for graph work only, never while user code runs or anything waits.
struct GraphLock: ~Copyable {
  private let taken = Atomic<UInt32>(0)
  private let parked = Atomic<UInt32>(0)

  /// Static, with the address: a thread that parks must not hold the value meanwhile.
  @inline(__always)
  static func take(_ lock: UnsafeMutablePointer<GraphLock>) {
    #if TIDINGS_EXPLORED
    Seam.scheduler?.acquire(UInt(bitPattern: lock))
    #endif
    // Releasing too, so that nothing before it is moved after it: see `Announcement.prepare`.
    let isFree = lock.pointee.taken.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
    ).exchanged
    if _slowPath(!isFree) { wait(lock) }
  }
  @inline(__always)
  static func giveBack(_ lock: UnsafeMutablePointer<GraphLock>) {
    lock.pointee.taken.store(0, ordering: .releasing)
    #if TIDINGS_EXPLORED
    Seam.scheduler?.release(UInt(bitPattern: lock))
    #endif
    if _slowPath(lock.pointee.parked.load(ordering: .relaxed) != 0) { unpark(on: word(of: lock)) }
  }

  private static func word(of lock: UnsafeMutablePointer<GraphLock>) -> UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
  @inline(never)
  private static func wait(_ lock: UnsafeMutablePointer<GraphLock>) {
    while true {
      for _ in 0..<60 {
        if lock.pointee.taken.load(ordering: .relaxed) == 0,
          lock.pointee.taken.weakCompareExchange(
            expected: 0, desired: 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
          ).exchanged
        {
          return
        }
        spinPause()
      }
      lock.pointee.parked.wrappingAdd(1, ordering: .sequentiallyConsistent)
      park(on: word(of: lock), while: 1)
      lock.pointee.parked.wrappingSubtract(1, ordering: .relaxed)
    }
  }
}

// Until something depends on a node, or it is computed, or gets a handler, it is in no graph, and a bit where the graph's address
// would be is its lock.
extension Node {
  static var alone: UInt { 0 }
  private static var aloneAndLocked: UInt { 1 }

  /// False if it is in a graph.
  @inline(__always)
  static func takeAlone(_ node: NodePointer) -> Bool {
    #if TIDINGS_EXPLORED
    Seam.scheduler?.acquire(UInt(bitPattern: node))
    #endif
    let (isDone, found) = node.pointee.graph.compareExchange(
      expected: alone, desired: aloneAndLocked, successOrdering: .acquiring, failureOrdering: .acquiring)
    if _fastPath(isDone) { return true }
    let isTaken = found == aloneAndLocked && awaitAlone(node)
    #if TIDINGS_EXPLORED
    if !isTaken { Seam.scheduler?.release(UInt(bitPattern: node)) }
    #endif
    return isTaken
  }
  /// - Parameter graph: The one that it is in from now on.
  @inline(__always)
  static func giveBackAlone(_ node: NodePointer, to graph: UInt = alone) {
    node.pointee.graph.store(graph, ordering: .releasing)
    #if TIDINGS_EXPLORED
    Seam.scheduler?.release(UInt(bitPattern: node))
    #endif
  }
  /// Not woken: it is held for a few instructions, and parking ends by itself.
  @inline(never)
  private static func awaitAlone(_ node: NodePointer) -> Bool {
    while true {
      for _ in 0..<60 {
        let found = node.pointee.graph.load(ordering: .acquiring)
        if found > aloneAndLocked { return false }
        if found == alone,
          node.pointee.graph.compareExchange(
            expected: alone, desired: aloneAndLocked, successOrdering: .acquiring, failureOrdering: .relaxed
          ).exchanged
        {
          return true
        }
        spinPause()
      }
      parkBriefly()
    }
  }
}
