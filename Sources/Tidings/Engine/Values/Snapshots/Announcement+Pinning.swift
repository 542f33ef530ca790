import Synchronization

extension Announcement {
  /// Before a lock is taken under which the thread may be pinned. Where taking it is a full fence, which it is on x86, no fence
  /// of its own is needed in the usual case: with one a diamond took a sixth longer.
  @inline(__always)
  static func prepare(_ own: AnnouncementPointer) {
    #if arch(x86_64)
    own.pointee.snapshot.store(VersionClock.now, ordering: .relaxed)
    #endif
  }
  /// Under the lock. The snapshot is announced before the clock is read again: so a thread that advances the clock afterwards and
  /// then looks for pins finds it.
  @inline(__always)
  static func snapshot(_ own: AnnouncementPointer, in graph: inout Graph) -> UInt {
    let now = VersionClock.now
    #if arch(x86_64)
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
    // A copy may have been kept for a snapshot that was announced and is not pinned: the end of the pin would not find it.
    if earliest != now, KeptCopies.mayHold(for: earliest) { graph.recheckKeptCopies() }
    return now
  }
  /// Whether a copy may have been kept for the pin that has ended.
  @inline(__always)
  static func retract(_ own: AnnouncementPointer) -> Bool {
    let snapshot = own.pointee.snapshot.load(ordering: .relaxed)
    own.pointee.snapshot.store(0, ordering: .releasing)
    return KeptCopies.mayHold(for: snapshot)
  }
  /// The same where the thread has not been pinned after all.
  @inline(__always)
  static func retractPrepared(_ own: AnnouncementPointer) -> Bool {
    #if arch(x86_64)
    return retract(own)
    #else
    return false
    #endif
  }

  /// Whether a thread is pinned, in whatever graph, at one of the snapshots from `from` to before `until`.
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
