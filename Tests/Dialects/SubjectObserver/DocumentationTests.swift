import SubjectObserver
import Testing
import TidingsTesting

private let printed = Locked<[String]>([])
private func print(_ items: Any...) {
  printed.withLock { $0.append(items.map { "\($0)" }.joined(separator: " ")) }
}

// What the documentation comments and the migration page show, line by line, with a `print` that can be looked at.

private protocol PlayerDelegate: AnyObject {
  var name: String { get }
  func didStart()
}

@Suite("What the documentation of SubjectObserver shows", .serialized)
struct DocumentationTests {
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

  init() { printed.withLock { $0 = [] } }

  @Test("Subjects")
  func subjects() {
    let (inbox, archive) = (Inbox(), Archive())
    let (first, second) = (EmailNotification(message: "1"), EmailNotification(message: "2"))
    let subject = Subject()
    subject += [inbox, archive]
    subject ~> EmailNotification(message: "Hello")
    subject --= archive
    subject ~> [first, second]
    #expect(printed.current == ["Hello", "archived", "1", "2"])
    withExtendedLifetime((inbox, archive)) {}
  }

  @Test("Hooks")
  func hooks() {
    let (subject, inbox) = (Logging(), Inbox())
    subject += inbox
    subject ~> EmailNotification(message: "Hello")
    #expect(printed.current == ["will send Hello", "Hello", "sent"])
    withExtendedLifetime(inbox) {}
  }

  @Test("Delegates")
  func delegates() {
    let screen = Screen()
    let players = MulticastDelegate<any PlayerDelegate>()
    players.add(screen)
    players.invoke { $0.didStart() }
    for player in players { print(player.name) }
    #expect(printed.current == ["started", "screen"])
    withExtendedLifetime(screen) {}
  }
}
