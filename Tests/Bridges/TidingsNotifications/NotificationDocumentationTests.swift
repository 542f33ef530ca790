import Foundation
import Testing
import Tidings
import TidingsNotifications
import TidingsTesting

/// The code that the documentation shows.
@Suite("The NotificationCenter bridge, as its documentation shows it")
struct NotificationDocumentationTests {
  @Test("A notification as an event, and an event as notifications")
  func bothWays() {
    let saved = NotificationCenter.default.event(named: .documentSaved) { $0.userInfo?["path"] as? String }
    let subscription = saved.observe { path in print("saved", path) }
    let recording = saved.record()
    do {
      let saved = Event<String>("document.saved")
      let posting = saved.post(to: .default, as: .documentSaved) { path in ["path": path] }
      saved.emit("letter.txt")
      posting.cancel()
    }
    #expect(recording.values == ["letter.txt"])
    subscription.cancel()
  }
}

extension Notification.Name {
  static let documentSaved = Notification.Name("documentSaved")
}
