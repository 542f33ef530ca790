import Synchronization

/// A lock for short and frequent regions, two for each computation. It takes a compare-exchange and a store, 10 ns a pair; `Mutex`
/// takes 16 to 20 ns.
///
/// A thread that finds it taken spins briefly and then parks, so that a real-time thread cannot starve the holder. The thread that
/// releases the lock wakes one parked thread, but may miss a thread that is just parking. Ordering the two would need a second
/// read-modify-write, which costs 25 % of a diamond. So parking lasts a millisecond at most.
///
/// On Apple systems the word is an `os_unfair_lock`: there a thread that only sleeps lends the holder no priority, so that a thread of
/// the user interface would wait for one of the background that is not run. It is released by the thread that took it.
///
/// It is held for graph work only, never while user code runs or anything waits.
struct GraphLock: ~Copyable {
  private let taken = Atomic<UInt32>(0)
  private let parked = Atomic<UInt32>(0)

  /// Static, with the address of the lock, because a thread that parks must not borrow the value meanwhile.
  @inline(__always)
  static func take(_ lock: UnsafeMutablePointer<GraphLock>) {
    #if TIDINGS_EXPLORED
    Seam.scheduler?.acquire(UInt(bitPattern: lock))
    #endif
    #if canImport(Darwin)
    lockWord(word(of: lock))
    #else
    // Releasing too, so that nothing before it is moved after it: see `Announcement.prepare`.
    let isFree = lock.pointee.taken.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
    ).exchanged
    if _slowPath(!isFree) { wait(lock) }
    #endif
  }
  @inline(__always)
  static func giveBack(_ lock: UnsafeMutablePointer<GraphLock>) {
    #if canImport(Darwin)
    unlockWord(word(of: lock))
    #else
    lock.pointee.taken.store(0, ordering: .releasing)
    #endif
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

// A node is in no graph until another value depends on it, it is computed, or it gets a handler. Until then a bit in the place of
// the graph's address is its lock.
extension Node {
  static var alone: UInt { 0 }
  private static var aloneAndLocked: UInt { 1 }

  /// Takes the lock of a node that is alone. False if the node is in a graph.
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
  /// - Parameter graph: The graph that the node is in from now on.
  @inline(__always)
  static func giveBackAlone(_ node: NodePointer, to graph: UInt = alone) {
    node.pointee.graph.store(graph, ordering: .releasing)
    #if TIDINGS_EXPLORED
    Seam.scheduler?.release(UInt(bitPattern: node))
    #endif
  }
  /// Waits for the lock of a node that is alone. No thread wakes the waiting one: the lock is held for a few instructions, and
  /// parking ends by itself.
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
