import Synchronization

extension Announcement {
  /// Call before taking a lock under which the thread may be pinned. On x86 it announces the current snapshot: taking the lock is a
  /// full fence there, so the usual case needs no further fence. With a further fence a diamond took 17 % longer.
  @inline(__always)
  static func prepare(_ own: AnnouncementPointer) {
    #if arch(x86_64) && !TIDINGS_PORTABLE
    own.pointee.snapshot.store(VersionClock.now, ordering: .relaxed)
    #endif
  }
  /// Announces the snapshot of a new pin, under the graph's lock. It does so before it reads the clock again. So a thread that
  /// advances the clock afterwards and then looks for pins finds the snapshot.
  @inline(__always)
  static func snapshot(_ own: AnnouncementPointer, in graph: inout Graph) -> UInt {
    let now = VersionClock.now
    #if arch(x86_64) && !TIDINGS_PORTABLE
    if _fastPath(own.pointee.snapshot.load(ordering: .relaxed) == now) { return now }
    #endif
    return announce(now, own, in: &graph)
  }
  @inline(never)
  private static func announce(_ first: UInt, _ own: AnnouncementPointer, in graph: inout Graph) -> UInt {
    let prepared = own.pointee.snapshot.load(ordering: .relaxed)
    let earliest = prepared == 0 ? first : prepared
    var now = first
    while true {
      own.pointee.snapshot.store(now, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      let again = VersionClock.now
      if again == now { break }
      now = again
    }
    // A copy may have been kept for a snapshot that was announced but is not pinned. The end of the pin would not find that copy.
    if earliest != now, KeptCopies.mayHold(for: earliest) { graph.recheckKeptCopies() }
    return now
  }
  /// Withdraws the announcement of a pin that has ended. True if a copy may have been kept for the pin.
  @inline(__always)
  static func retract(_ own: AnnouncementPointer) -> Bool {
    let snapshot = own.pointee.snapshot.load(ordering: .relaxed)
    own.pointee.snapshot.store(0, ordering: .releasing)
    return KeptCopies.mayHold(for: snapshot)
  }
  /// The same if the thread has not been pinned after all.
  @inline(__always)
  static func retractPrepared(_ own: AnnouncementPointer) -> Bool {
    #if arch(x86_64) && !TIDINGS_PORTABLE
    return retract(own)
    #else
    return false
    #endif
  }

  /// Whether a thread is pinned, in any graph, at one of the snapshots from `from` to before `until`.
  @inline(never)
  static func isPinned(from: UInt, until: UInt) -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    var next = AnnouncementPointer(bitPattern: first.pointee.load(ordering: .acquiring))
    while let known = next {
      let snapshot = known.pointee.snapshot.load(ordering: .acquiring)
      if from <= snapshot, snapshot < until, snapshot != 0 { return true }
      next = known.pointee.next
    }
    return false
  }
}
