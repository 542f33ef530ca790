import SubjectObserver
import Testing
import TidingsTesting

// The code of the documentation comments and the migration page, line by line, with a `print` whose output the tests can read.

private let printed = Printed()
private func print(_ items: Any...) { printed.note(items) }

private protocol PlayerDelegate: AnyObject {
  var name: String { get }
  func didStart()
}

@Suite("SubjectObserver: what the documentation shows", .serialized)
struct SubjectObserverDocumentationTests {
  final class Inbox: Observer {
    func notify(with notification: any Notification) { print(notification.data ?? "nothing") }
  }
  final class Archive: Observer {
    func notify(with notification: any Notification) { print("archived") }
  }
  final class EmailNotification: Notification {
    let data: Any?
    init(message: String) { data = message }
  }
  final class Logging: Subject, @unchecked Sendable {
    override func willSend(notification: any Notification) { print("will send", notification.data ?? "nothing") }
    override func didSend(notification: any Notification) { print("sent") }
  }
  private final class Screen: PlayerDelegate {
    let name = "screen"
    func didStart() { print("started") }
  }

  private let lines = printed.start()

  @Test("Subjects")
  func subjects() {
    let (inbox, archive) = (Inbox(), Archive())
    let (first, second) = (EmailNotification(message: "1"), EmailNotification(message: "2"))
    let subject = Subject()
    subject += [inbox, archive]
    subject ~> EmailNotification(message: "Hello")
    subject --= archive
    subject ~> [first, second]
    #expect(lines.values == ["Hello", "archived", "1", "2"])
    withExtendedLifetime((inbox, archive)) {}
  }

  @Test("Hooks")
  func hooks() {
    let (subject, inbox) = (Logging(), Inbox())
    subject += inbox
    subject ~> EmailNotification(message: "Hello")
    #expect(lines.values == ["will send Hello", "Hello", "sent"])
    withExtendedLifetime(inbox) {}
  }

  @Test("Delegates")
  func delegates() {
    let screen = Screen()
    let players = MulticastDelegate<any PlayerDelegate>()
    players.add(screen)
    players.invoke { $0.didStart() }
    for player in players { print(player.name) }
    #expect(lines.values == ["started", "screen"])
    withExtendedLifetime(screen) {}
  }

  @MainActor
  @Test("An observer of the main actor, where all sending is done there")
  func mainActor() {
    @MainActor final class Screen: @MainActor Observer {
      var shown: [String] = []
      func notify(with notification: any Notification) { shown.append(notification.data as? String ?? "") }
    }
    let (subject, screen) = (Subject(), Screen())
    subject += screen
    subject ~> EmailNotification(message: "Hello")
    #expect(screen.shown == ["Hello"])
  }
}
