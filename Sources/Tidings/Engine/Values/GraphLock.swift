import Synchronization

/// The lock of the graph: for regions that are short and many, two for each computation. A compare-exchange and a store, 10 ns
/// a pair where `Mutex` takes 16 to 20.
///
/// A thread that finds it taken tries for a moment and then parks, so that one which nothing preempts lets the holder go on. The
/// thread that gives it back wakes one. It may look for parked threads before it sees the latest: to order the two would be a
/// second read-modify-write, a quarter of a diamond. So parking lasts a millisecond at most.
///
/// It is held for graph work only, never while user code runs or anything waits.
struct GraphLock {
  @inline(__always)
  func withLock<R>(_ body: (inout Graph) -> R) -> R {
    let graph = take()
    defer { giveBack() }
    return body(&graph.pointee)
  }

  private var isTaken: UnsafeMutablePointer<Atomic<UInt32>> {
    @inline(__always) get { graphMemory.lock.assumingMemoryBound(to: Atomic<UInt32>.self) }
  }
  private var parked: UnsafeMutablePointer<Atomic<UInt32>> {
    @inline(__always) get { graphMemory.parked.assumingMemoryBound(to: Atomic<UInt32>.self) }
  }
  /// For who has more to say about where what is made under the lock lies; else `withLock`.
  @inline(__always)
  func take() -> UnsafeMutablePointer<Graph> {
    #if TIDINGS_EXPLORED
    Seam.scheduler?.acquire(UInt(bitPattern: graphMemory.lock))
    #endif
    let isFree = isTaken.pointee.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
    if _slowPath(!isFree) { wait() }
    return graphMemory.state.assumingMemoryBound(to: Graph.self)
  }
  @inline(__always)
  func giveBack() {
    isTaken.pointee.store(0, ordering: .releasing)
    #if TIDINGS_EXPLORED
    Seam.scheduler?.release(UInt(bitPattern: graphMemory.lock))
    #endif
    if _slowPath(parked.pointee.load(ordering: .relaxed) != 0) { unpark(on: isTaken) }
  }

  @inline(never)
  private func wait() {
    while true {
      for _ in 0..<60 {
        if isTaken.pointee.load(ordering: .relaxed) == 0,
          isTaken.pointee.weakCompareExchange(
            expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
          ).exchanged
        {
          return
        }
        hesitate()
      }
      parked.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
      park(on: isTaken, while: 1)
      parked.pointee.wrappingSubtract(1, ordering: .relaxed)
    }
  }
}

let graph = GraphLock()
