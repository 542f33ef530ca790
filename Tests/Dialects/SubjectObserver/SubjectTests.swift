import SubjectObserver
import Testing
import TidingsTesting

@Suite("What a subject keeps of the original")
struct SubjectTests {
  let subject = Subject()
  let received = Recorder<String>()
  func listener(_ name: String) -> Listener { Listener(name, in: received) }

  @Test("Observers are called in the order of adding, before `send` returns, on its thread")
  func order() {
    let thread = Recorder<UInt>()
    let (a, b) = (Listener("a", in: received) { _, _ in thread(Threads.current) }, listener("b"))
    subject.add(observer: a)
    subject.add(observer: b)
    subject.send(1, 2)
    #expect(received.values == ["a1", "b1", "a2", "b2"])
    #expect(thread.values == [Threads.current, Threads.current])
  }

  @Test("Every observer gets the very notification that was sent")
  func sameNotification() {
    final class Keeping: Observer {
      var seen: [ObjectIdentifier] = []
      func notify(with notification: any Notification) { seen.append(ObjectIdentifier(notification)) }
    }
    let (a, b, number) = (Keeping(), Keeping(), Number())
    subject += [a, b]
    subject ~> number
    #expect(a.seen == [ObjectIdentifier(number)])
    #expect(b.seen == a.seen)
  }

  @Test("Observers are held weakly")
  func weakly() {
    let canaries = Canaries()
    let a = listener("a")
    do {
      let b = Listener("b", in: received, canary: canaries.make())
      subject += [b, a]
      subject.send(1)
    }
    #expect(canaries.alive == 0)
    subject.send(2)
    #expect(received.values == ["b1", "a1", "a2"])
  }

  @Test("An observer that was added twice is notified twice; removing takes the first")
  func twice() {
    let (a, b) = (listener("a"), listener("b"))
    subject += [a, b, a]
    subject.send(1)
    subject.remove(observer: a)
    subject.send(2)
    subject.remove(observer: a)
    subject.send(3)
    #expect(received.values == ["a1", "b1", "a1", "b2", "a2", "b3"])
  }

  @Test("Disposing takes the first, too")
  func disposingTwice() {
    let (a, b) = (listener("a"), listener("b"))
    subject += [a, b, a]
    subject.dispose(observer: a)
    subject.send(1)
    subject.dispose(observer: a)
    subject.dispose(observer: a)
    subject.send(2)
    #expect(received.values == ["b1", "a1", "b2"])
  }

  @Test("An observer that is not there is ignored")
  func unknown() {
    let (a, b) = (listener("a"), listener("b"))
    subject += a
    subject.remove(observer: b)
    subject.dispose(observer: b)
    #expect(subject[b] == nil)
    subject.send(1)
    #expect(received.values == ["a1"])
    #expect(subject[0] === a)
  }

  @Test("An observer may be added again after it was removed, and receives what is sent from then on")
  func again() {
    let (a, b) = (listener("a"), listener("b"))
    subject += [a, b]
    subject --= a
    subject.send(1)
    subject += a
    subject.send(2)
    #expect(received.values == ["b1", "b2", "a2"])
  }

  @Test("The operators do what the methods do, for one and for several")
  func operators() {
    let (a, b, c, d) = (listener("a"), listener("b"), listener("c"), listener("d"))
    subject += a
    subject += [b, c, d]
    subject ~> Number(1)
    subject --= d
    subject -= c
    #expect(subject[2] == nil)
    #expect(subject[3] == nil)
    subject ~> Number(2)
    subject --= [a, d]
    subject -= [b, c]
    subject ~> Number(3)
    #expect(received.values == ["a1", "b1", "c1", "d1", "a2", "b2"])
  }

  @Test("Of several notifications the first reaches all, then the second")
  func severalNotifications() {
    let (a, b) = (listener("a"), listener("b"))
    subject += [a, b]
    subject ~> [Number(1), Number(2), Number(3)]
    #expect(received.values == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test("A subclass receives what will be sent and what was")
  func hooks() {
    final class Logging: Subject, @unchecked Sendable {
      let log: Recorder<String>
      init(_ log: Recorder<String>) { self.log = log }
      override func willSend(notification: any Notification) { log("will \(notification.data ?? 0)") }
      override func didSend(notification: any Notification) { log("did \(notification.data ?? 0)") }
    }
    let logging = Logging(received)
    let a = listener("a")
    logging += a
    logging ~> [Number(1), Number(2)]
    #expect(received.values == ["will 1", "a1", "did 1", "will 2", "a2", "did 2"])
  }

  @Test("Subjects may be parts of any class")
  func parts() {
    final class Mailbox {
      let arrived = Subject()
      let sent = Subject()
    }
    let mailbox = Mailbox()
    let (a, b) = (listener("a"), listener("b"))
    mailbox.arrived += a
    mailbox.sent += [a, b]
    mailbox.arrived ~> Number(1)
    mailbox.sent ~> Number(2)
    #expect(received.values == ["a1", "a2", "b2"])
  }
}
