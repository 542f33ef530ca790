import Synchronization

/// Sources of which a copy is kept because a thread that is pinned in another graph may come to read it.
///
/// The graph of the source is not notified when that pin ends. So each pin that ends reads one word. If a copy is kept that the pin
/// could have read, all of these sources are rechecked, each under its own lock.
///
/// No fence orders a commit that keeps a copy and the end of a pin. A fence for each pin costs 12 % of a `set`. If both occur
/// within nanoseconds, the end of the pin may miss the copy, which then waits for the next recheck.
enum KeptCopies {
  /// A moment later than the snapshots at which the copies are right; 0 while no copy is kept. Written under the lock.
  static var until: UnsafeMutablePointer<Atomic<UInt>> {
    @inline(__always) get { keptMemory.assumingMemoryBound(to: Atomic<UInt>.self) }
  }

  /// Whether a pin of that snapshot, which has ended, could have read a copy.
  @inline(__always)
  static func mayHold(for snapshot: UInt) -> Bool { until.pointee.load(ordering: .relaxed) > snapshot }
}
