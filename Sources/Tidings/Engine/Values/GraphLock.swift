import Synchronization

/// The lock of the graph: for regions that are short and many, two for each computation. A compare-exchange and a store, 10 ns
/// a pair where `Mutex` takes 16 to 20.
///
/// Who finds it taken tries for a moment and then lets other threads run. It is held for graph work only, never while user
/// code runs or anything waits.
struct GraphLock {
  @inline(__always)
  func withLock<R>(_ body: (inout Graph) -> R) -> R {
    let memory = graphMemory
    let isTaken = memory.lock.assumingMemoryBound(to: Atomic<UInt>.self)
    if !isTaken.pointee.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged {
      Self.wait(isTaken)
    }
    defer { isTaken.pointee.store(0, ordering: .releasing) }
    return body(&memory.state.assumingMemoryBound(to: Graph.self).pointee)
  }

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
