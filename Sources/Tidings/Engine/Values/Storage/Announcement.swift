import Synchronization

typealias AnnouncementPointer = UnsafeMutablePointer<Announcement>

/// The snapshot at which a thread is pinned. Threads that write values in other graphs read it, because the pinned thread may come
/// to read those values. There is one for each thread, in a list whose memory is reused and never freed.
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
    // Allocate a separate cache line, because the thread writes it twice for each pin.
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
