import SubjectObserver
import Testing
import TidingsTesting

@Suite("What was fixed: inside `notify` every call returns", .timeLimit(.minutes(20)))
struct ReentrancyTests {
  let subject = Subject()
  let received = Recorder<String>()
  func listener(_ name: String) -> Listener { Listener(name, in: received) }
  /// An observer that does something with the subject at its first call.
  func acting(_ name: String, _ act: @escaping @Sendable (Subject, Listener) -> Void) -> Listener {
    Listener(name, in: received) { [subject] listener, value in if value == 1 { act(subject, listener) } }
  }

  @Test("One that is added receives what is sent from then on")
  func adding() {
    let b = listener("b")
    let a = acting("a") { subject, _ in subject.add(observer: b) }
    subject += a
    #expect(Threads.elsewhere { subject.send(1, 2) })
    #expect(received.values == ["a1", "a2", "b2"])
  }

  @Test("One that is removed or disposed of is not called any more", arguments: [true, false])
  func removing(now: Bool) {
    let (b, c) = (listener("b"), listener("c"))
    let a = acting("a") { subject, a in
      for observer in [b, a] {
        if now { subject.remove(observer: observer) } else { subject.dispose(observer: observer) }
      }
    }
    subject += [a, b, c]
    #expect(Threads.elsewhere { subject.send(1, 2) })
    #expect(received.values == ["a1", "c1", "c2"])
    #expect(subject[0] === c)
  }

  @Test("One that is sent reaches all before the outer one continues")
  func sending() {
    let b = listener("b")
    let a = acting("a") { subject, _ in subject.send(2) }
    subject += [a, b]
    #expect(Threads.elsewhere { subject.send(1) })
    #expect(received.values == ["a1", "a2", "b2", "b1"])
  }

  @Test("The subscripts may be read")
  func reading() {
    let places = Recorder<Int?>()
    let a = acting("a") { subject, a in
      places(subject[a])
      if subject[0] === a { places(100) }
    }
    subject += a
    #expect(Threads.elsewhere { subject.send(1) })
    #expect(places.values == [0, 100])
  }

  @Test("A nested send comes back while another thread adds and removes")
  func nestedWithAWriterWaiting() {
    let b = listener("b")
    let wrote = Recorder<Bool>()
    let a = acting("a") { [received] subject, _ in
      wrote(Threads.elsewhere { subject += b })
      subject.send(2)
      wrote(Threads.elsewhere { subject --= b })
      wrote(Threads.elsewhere { subject ~> Number(3) })
      received("done")
    }
    subject += a
    #expect(Threads.elsewhere { subject.send(1) })
    #expect(wrote.values == [true, true, true])
    #expect(received.values == ["a1", "a2", "b2", "a3", "done"])
  }

  @Test("An observer that sends for ever is stopped, 200 deep")
  func cycle() {
    let a = Listener("a", in: received) { [subject] _, value in if value < 400 { subject.send(value + 1) } }
    subject += a
    subject.send(1)
    #expect(received.values == (1...200).map { "a\($0)" })
  }

  @Test("The last reference to an observer may be released inside `notify`, and its `deinit` may use the subject")
  func endsWhileNotified() {
    final class Leaving: Observer, Sendable {
      let (subject, received): (Subject, Recorder<String>)
      init(_ subject: Subject, _ received: Recorder<String>) { (self.subject, self.received) = (subject, received) }
      func notify(with notification: any Notification) { received("leaving\(notification.data ?? 0)") }
      deinit {
        subject.remove(observer: self)
        subject.dispose(observer: self)
        subject.send(0)
        received("destroyed")
      }
    }
    let kept = Locked<Leaving?>(nil)
    let a = acting("a") { _, _ in kept.withLock { $0 = nil } }
    let c = listener("c")
    let leaving = Leaving(subject, received)
    subject += [a, leaving, c]
    kept.withLock { $0 = leaving }
    withExtendedLifetime(leaving) {}
    #expect(Threads.elsewhere { subject.send(1, 2) })
    #expect(received.values.contains("c1") && received.values.contains("c2"))
  }
}
