import SubjectObserver
import Testing
import TidingsTesting

// The original's program in Swift 5 mode, as a client that moves over first compiles it.

class ObserverOne: Observer {
  var received: [String] = []
  func notify(with notification: SubjectObserver.Notification) {
    received.append("Observer One: \(notification.data as? String ?? "")")
  }
}

class ObserverTwo: Observer {
  var count = 0
  func notify(with notification: SubjectObserver.Notification) { count += 1 }
}

final class EmailNotification: SubjectObserver.Notification {
  var data: Any?
  init(message: String) {
    data = message
  }
}

class MailSubject: Subject, @unchecked Sendable {
  var sent = 0
  override func didSend(notification: SubjectObserver.Notification) { sent += 1 }
}

protocol MailDelegate: AnyObject {
  func arrived(_ message: String)
}
class Window: MailDelegate {
  var shown: [String] = []
  func arrived(_ message: String) { shown.append(message) }
}

@Suite("SubjectObserver in Swift 5 mode")
struct SubjectObserverSwift5Tests {
  @Test("Observers get emails, until they are removed, disposed of, or deinitialized")
  func emails() {
    let observerOne = ObserverOne()
    var observerTwo: ObserverTwo? = ObserverTwo()
    weak let released = observerTwo
    let observerThree = ObserverTwo()

    let subject = MailSubject()
    subject += [observerOne, observerTwo!, observerThree]
    subject ~> EmailNotification(message: "1")
    subject --= observerThree
    observerTwo = nil
    subject ~> [EmailNotification(message: "2"), EmailNotification(message: "3")]
    #expect(released == nil)
    #expect(subject[0] === observerOne)
    #expect(subject[observerThree] == nil)
    subject -= observerOne
    subject ~> EmailNotification(message: "4")
    #expect(observerOne.received == ["Observer One: 1", "Observer One: 2", "Observer One: 3"])
    #expect(observerThree.count == 1)
    #expect(subject.sent == 4)
  }

  @Test("Delegates")
  func delegates() {
    let delegates = MulticastDelegate<MailDelegate>()
    let window = Window()
    delegates.add(window)
    delegates.invoke { $0.arrived("hello") }
    #expect(window.shown == ["hello"])
    for delegate in delegates { #expect(delegate === window) }
  }
}
