import SubjectObserver
import Testing
import TidingsTesting

/// Every call returns inside `notify` and on any thread; the original blocked there.
@Suite("SubjectObserver: what was fixed", .timeLimit(.minutes(20)))
struct SubjectObserverFixesTests {
  let subject = Subject()
  let received = Recorder<String>()
  func listener(_ name: String) -> Listener { Listener(name, in: received) }
  /// An observer that does something with the subject at its first call.
  func acting(_ name: String, _ act: @escaping @Sendable (Subject, Listener) -> Void) -> Listener {
    Listener(name, in: received) { [subject] listener, value in if value == 1 { act(subject, listener) } }
  }

  // MARK: Inside `notify`

  @Test("An observer may read places, send, add, and remove or dispose of itself and others", arguments: [true, false])
  func everything(isRemoved: Bool) {
    let (b, c, d) = (listener("b"), listener("c"), listener("d"))
    let a = acting("a") { subject, a in
      if subject[a] == 0, subject[0] === a { subject.send(2) }
      subject.add(observer: d)
      for observer in [b, a] {
        if isRemoved { subject.remove(observer: observer) } else { subject.dispose(observer: observer) }
      }
    }
    subject += [a, b, c]
    #expect(Threads.elsewhere { subject.send(1, 3) })
    #expect(received.values == ["a1", "a2", "b2", "c2", "c1", "c3", "d3"])
    #expect(subject[0] === c)
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

  // MARK: On several threads

  @Test("Four threads adding, removing, disposing and sending simultaneously lose no delivery")
  func fourThreads() {
    let (threads, rounds) = (4, 300)
    let (first, last) = (listener("a"), listener("b"))
    subject += first
    let ended = Threads.together(threads) { [subject, received] thread in
      for round in 0..<rounds {
        let own = Recorder<String>()
        let passing = Listener("p", in: own)
        let value = thread * 10_000 + round
        subject += passing
        subject.send(value)
        if own.values.filter({ $0 == "p\(value)" }).count != 1 { received("lost \(value)") }
        switch round % 3 {
        case 0: subject --= passing
        case 1: subject -= passing
        default: break  // it ends here, and its place is swept
        }
      }
    }
    #expect(ended)
    subject += last
    subject.send(-1)
    #expect(received.values.count == threads * rounds + 2)
    #expect(Set(received.values).count == threads * rounds + 2)
    #expect(received.values.allSatisfy { !$0.hasPrefix("lost") })
    #expect(subject[0] === first && subject[last] == 1 && subject[2] == nil)
  }

  @Test("Several senders notify simultaneously")
  func atTheSameTime() {
    let met = (0..<2).map { _ in Gate() }
    // Each call waits for the other, which a subject that sends one at a time would never let come.
    let a = Listener("a", in: received) { [received] _, value in
      met[value].open()
      if !met[1 - value].wait() { received("alone") }
    }
    subject += a
    #expect(Threads.together(2) { thread in subject.send(thread) })
    #expect(Set(received.values) == ["a0", "a1"])
  }

  @Test("The subscripts may be read while others write and observers end")
  func subscripts() {
    let stays = listener("a")
    subject += stays
    let wrong = Recorder<Int>()
    let ended = Threads.together(4) { [subject] thread in
      for round in 0..<500 {
        if thread < 2 {
          let passing = Listener("p", in: Recorder())
          subject += passing
          if round % 2 == 0 { subject --= passing }
          if round % 8 == 1 { subject.send(0) }
        } else {
          if subject[stays] != 0 || subject[0] !== stays { wrong(round) }
          _ = subject[round % 20]
        }
      }
    }
    #expect(ended)
    #expect(wrong.values.isEmpty)
  }

  @Test("Observers that use the subject as they are deinitialized, on four threads, block no thread")
  func endsOnThreads() {
    final class Leaving: Observer, Sendable {
      let subject: Subject
      let canary: Canary
      init(_ subject: Subject, _ canary: Canary) { (self.subject, self.canary) = (subject, canary) }
      func notify(with notification: any Notification) {}
      deinit {
        subject.remove(observer: self)
        _ = subject[0]
      }
    }
    let canaries = Canaries()
    let stranger = listener("stranger")
    let left = Locked(2)
    let ended = Threads.together(4) { [subject] thread in
      if thread < 2 {
        // Looks at every place, of which any may be ending.
        while left.current > 0 { _ = subject[stranger] }
      } else {
        for round in 0..<100 {
          do { subject += (0..<50).map { _ in Leaving(subject, canaries.make()) } }
          subject.send(round)
        }
        left.withLock { $0 -= 1 }
      }
    }
    #expect(ended)
    subject.send(0)
    #expect(canaries.alive == 0)
    #expect(subject[0] == nil)
  }
}
