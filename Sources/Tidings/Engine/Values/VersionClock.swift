import Synchronization

/// The version clock of all values.
///
/// A commit is stamped with the moment that the clock shows. It advances the clock first only where a thread is pinned at that
/// very moment and could read what is written: while none is, no commit writes this word, and each processor keeps its
/// own copy of it.
enum VersionClock {
  private static var word: UnsafeMutablePointer<Atomic<UInt>> {
    @inline(__always) get { clockMemory.assumingMemoryBound(to: Atomic<UInt>.self) }
  }
  /// Never 0, which means "not pinned".
  static var now: UInt { @inline(__always) get { word.pointee.load(ordering: .relaxed) &+ 1 } }

  /// A snapshot later than those of all pins that were announced before.
  @inline(never)
  static func tick() -> UInt { word.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue &+ 1 }
}

typealias AnnouncementPointer = UnsafeMutablePointer<Announcement>

/// The snapshot at which a thread is pinned, for threads that write values in graphs other than the one it is pinned in: it may
/// come to read them. A list of one for each thread, in memory that is used again and never given back.
struct Announcement: ~Copyable {
  private let next: AnnouncementPointer?
  private let isTaken = Atomic<UInt32>(1)
  /// 0 for none.
  let snapshot = Atomic<UInt>(0)

  private init(before next: AnnouncementPointer?) { self.next = next }

  private static var first: UnsafeMutablePointer<Atomic<UInt>> {
    announcementMemory.assumingMemoryBound(to: Atomic<UInt>.self)
  }

  static func take() -> AnnouncementPointer {
    var next = AnnouncementPointer(bitPattern: first.pointee.load(ordering: .acquiring))
    while let known = next {
      if known.pointee.isTaken.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged {
        return known
      }
      next = known.pointee.next
    }
    // A cache line of its own: its thread writes it twice for each pin.
    let new = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
      .bindMemory(to: Announcement.self, capacity: 1)
    var head = first.pointee.load(ordering: .acquiring)
    while true {
      new.initialize(to: Announcement(before: AnnouncementPointer(bitPattern: head)))
      let (isDone, now) = first.pointee.compareExchange(
        expected: head, desired: UInt(bitPattern: new), ordering: .acquiringAndReleasing)
      if isDone { return new }
      head = now
    }
  }
  static func giveBack(_ own: AnnouncementPointer) {
    _ = retract(own)
    own.pointee.isTaken.store(0, ordering: .releasing)
  }

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
