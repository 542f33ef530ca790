import Synchronization

typealias AnnouncementPointer = UnsafeMutablePointer<Announcement>

/// The snapshot at which a thread is pinned, for threads that write values in graphs other than the one it is pinned in: it may
/// come to read them. A list of one for each thread, in memory that is used again and never given back.
struct Announcement: ~Copyable {
  let next: AnnouncementPointer?
  private let isTaken = Atomic<UInt32>(1)
  /// 0 for none.
  let snapshot = Atomic<UInt>(0)

  private init(before next: AnnouncementPointer?) { self.next = next }

  static var first: UnsafeMutablePointer<Atomic<UInt>> {
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
    own.pointee.snapshot.store(0, ordering: .releasing)
    own.pointee.isTaken.store(0, ordering: .releasing)
  }
}
