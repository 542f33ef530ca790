import SubjectObserver
import Testing
import TidingsTesting

// The program that "Observer Design Pattern" shows, and the two ways to use a subject that it describes.

private class ObserverOne: Observer {
  let received: Recorder<String>
  init(_ received: Recorder<String>) { self.received = received }
  func notify(with notification: any Notification) { received("Observer One: \(notification.data as? String ?? "")") }
}
private class ObserverTwo: Observer {
  let received: Recorder<String>
  init(_ received: Recorder<String>) { self.received = received }
  func notify(with notification: any Notification) { received("Observer Two: \(notification.data as? String ?? "")") }
}
private class ObserverThree: Observer {
  let received: Recorder<String>
  init(_ received: Recorder<String>) { self.received = received }
  func notify(with notification: any Notification) { received("Observer Three: \(notification.data as? String ?? "")") }
}

private final class EmailNotification: Notification {
  var data: Any?
  init(message: String) { data = message }
}

@Suite("The original's program")
struct SeedProgramTests {
  let received = Recorder<String>()

  @Test("Three observers get emails, then two, then one")
  func emails() {
    let observerOne = ObserverOne(received)
    var observerTwo: ObserverTwo? = ObserverTwo(received)
    let observerThree = ObserverThree(received)

    let subject = Subject()
    subject += [observerOne, observerTwo!, observerThree]
    subject ~> EmailNotification(message: "hello")
    #expect(received.values == ["Observer One: hello", "Observer Two: hello", "Observer Three: hello"])

    subject --= observerThree
    let (one, two) = (EmailNotification(message: "1"), EmailNotification(message: "2"))
    subject ~> [one, two]
    #expect(
      received.values.dropFirst(3) == ["Observer One: 1", "Observer Two: 1", "Observer One: 2", "Observer Two: 2"])

    observerTwo = nil
    subject ~> EmailNotification(message: "3")
    #expect(received.values.dropFirst(7) == ["Observer One: 3"])
  }

  @Test("A subject is handed to senders and to observers")
  func injected() {
    final class Newsletter {
      private let readers: Subject
      init(readers: Subject) { self.readers = readers }
      func publish(_ message: String) { readers ~> EmailNotification(message: message) }
    }
    let readers = Subject()
    let reader = ObserverOne(received)
    readers += reader
    Newsletter(readers: readers).publish("monday")
    Newsletter(readers: readers).publish("tuesday")
    #expect(received.values == ["Observer One: monday", "Observer One: tuesday"])
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
    subject ~> EmailNotification(message: "hello")
    #expect(screen.shown == ["hello"])
  }
}
