import Synchronization

/// Sources of which a copy is kept because a thread that is pinned in another graph may come to read it.
///
/// The graph of the source does not learn of the end of that pin. So the end of each pin asks one word, and where a copy is kept
/// that the pin could have read, all of these sources are looked at again, each under its own lock.
///
/// A commit that keeps a copy is ordered before the end that misses it by no fence: one for each pin took an eighth of a `set`. If
/// both fall together within nanoseconds, the copy waits for the next look.
enum KeptCopies {
  /// Later than the snapshots that all copies are right at; 0 while none is kept. Written under the lock.
  static var until: UnsafeMutablePointer<Atomic<UInt>> {
    @inline(__always) get { keptMemory.assumingMemoryBound(to: Atomic<UInt>.self) }
  }

  /// Whether a pin of that snapshot, which has ended, could have read one of them.
  @inline(__always)
  static func mayHold(for snapshot: UInt) -> Bool { until.pointee.load(ordering: .relaxed) > snapshot }
}
