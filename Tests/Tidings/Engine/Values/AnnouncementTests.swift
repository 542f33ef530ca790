import Synchronization
import Testing
import TidingsTesting

@testable import Tidings

@Suite("Announcements of snapshots")
struct AnnouncementTests {
  /// In a process of its own: other tests start threads, too.
  @Test("New threads use the announcements of threads that have ended")
  func reuse() async {
    await #expect(processExitsWith: .success) {
      let before = AnnouncementTests.count
      for _ in 0..<400 { Threads.elsewhere { _ = Context.current } }
      #expect(AnnouncementTests.count - before < 200)
    }
  }

  private static var count: Int {
    var (count, next) = (0, AnnouncementPointer(bitPattern: Announcement.first.pointee.load(ordering: .acquiring)))
    while let known = next { (count, next) = (count + 1, known.pointee.next) }
    return count
  }
}
