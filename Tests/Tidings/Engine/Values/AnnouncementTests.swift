import Synchronization
import Testing
import TidingsTesting

@testable import Tidings

@Suite("Announcements of snapshots")
struct AnnouncementTests {
  @Test("Threads that come and go use those of threads that have ended")
  func reuse() {
    let before = count
    for _ in 0..<400 { Threads.elsewhere { _ = Context.current } }
    // Other tests start threads at the same time, though no hundreds that live simultaneously.
    #expect(count - before < 200)
  }

  private var count: Int {
    var (count, next) = (0, AnnouncementPointer(bitPattern: Announcement.first.pointee.load(ordering: .acquiring)))
    while let known = next { (count, next) = (count + 1, known.pointee.next) }
    return count
  }
}
