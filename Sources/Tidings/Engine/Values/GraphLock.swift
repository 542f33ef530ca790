import Synchronization

/// The lock of the graph: for regions that are short and many, two for each computation. A compare-exchange and a store, 10 ns
/// a pair where `Mutex` takes 16 to 20.
///
/// Who finds it taken tries for a moment and then lets other threads run. It is held for graph work only, never while user
/// code runs or anything waits.
struct GraphLock {
  @inline(__always)
  func withLock<R>(_ body: (inout Graph) -> R) -> R {
    let graph = take()
    defer { giveBack() }
    return body(&graph.pointee)
  }

  private var isTaken: UnsafeMutablePointer<Atomic<UInt>> {
    @inline(__always) get { graphMemory.lock.assumingMemoryBound(to: Atomic<UInt>.self) }
  }
  /// For who has more to say about where what is made under the lock lies; else `withLock`.
  @inline(__always)
  func take() -> UnsafeMutablePointer<Graph> {
    let isFree = isTaken.pointee.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
    if _slowPath(!isFree) {
      Self.wait(isTaken)
    }
    return graphMemory.state.assumingMemoryBound(to: Graph.self)
  }
  @inline(__always)
  func giveBack() { isTaken.pointee.store(0, ordering: .releasing) }

  @inline(never)
  private static func wait(_ isTaken: UnsafeMutablePointer<Atomic<UInt>>) {
    var tries = 0
    while true {
      if isTaken.pointee.load(ordering: .relaxed) == 0,
        isTaken.pointee.weakCompareExchange(
          expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
      {
        return
      }
      tries += 1
      if tries > 100 { yieldThread() }
    }
  }
}

let graph = GraphLock()
