import Foundation
import Testing
import Tidings
import TidingsNotifications
import TidingsTesting

@Suite("Events as notifications")
struct PostTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("tidings.tests.saved")

  @Test("Every value is posted, with what the closure makes of it, until the token is dropped")
  func posting() {
    let (saved, received) = (Event<String>(), Recorder<String>())
    let observer = center.addObserver(forName: name, object: nil, queue: nil) { notification in
      received(notification.userInfo?["path"] as? String ?? "nothing")
    }
    var posting: Subscription? = saved.post(to: center, as: name) { ["path": $0] }
    saved.emit("a")
    saved.emit("b")
    withExtendedLifetime(posting) {}
    posting = nil
    saved.emit("c")
    #expect(received.values == ["a", "b"])
    #expect(saved.diagnostics.count == 0)
    center.removeObserver(observer)
  }

  @Test("The sender is named and not kept; without it nothing is posted")
  func senders() {
    let (saved, received) = (Event<Int>(), Recorder<Bool>())
    let observer = center.addObserver(forName: name, object: nil, queue: nil) { received($0.object is Sender) }
    var sender: Sender? = Sender()
    weak let released = sender
    let posting = saved.post(to: center, as: name, object: sender)
    saved.emit(1)
    sender = nil
    #expect(released == nil)
    saved.emit(2)
    #expect(received.values == [true])
    posting.cancel()
    center.removeObserver(observer)
  }

  @Test("An event that is posted and received in a cycle is stopped and reported")
  func cycles() async {
    let (saved, reports) = (Event<Int>("tidings.tests.cycle", maximumDepth: 50), Recorder<Diagnostics.Report>())
    let watching = Diagnostics.reports.filter { $0.labels.last == "tidings.tests.cycle" }.observe { reports($0) }
    let posting = saved.post(to: center, as: name) { ["number": $0] }
    let back = center.event(named: name) { $0.userInfo?["number"] as? Int }.observe { saved.emit($0 + 1) }
    let recording = saved.record()
    saved.emit(0)
    #expect(recording.values.count < 60)
    // Another test's thread may be delivering reports, and then delivers this one too.
    #expect(await reports.values(atLeast: 1).count == 1)
    for token in [watching, posting, back] { token.cancel() }
  }
}

private final class Sender: Sendable {}
