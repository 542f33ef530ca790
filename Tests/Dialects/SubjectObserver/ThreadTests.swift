import SubjectObserver
import Testing
import TidingsTesting

@Suite("From any thread", .timeLimit(.minutes(20)))
struct ThreadTests {
  let subject = Subject()

  @Test("Four threads adding, removing, disposing and sending simultaneously lose no delivery")
  func fourThreads() {
    let (threads, rounds) = (4, 300)
    let received = Recorder<String>()
    let (first, last) = (Listener("a", in: received), Listener("b", in: received))
    subject += first
    let ended = Threads.together(threads) { [subject] thread in
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
    #expect(subject[0] === first)
    #expect(subject[last] == 1)
    #expect(subject[2] == nil)
  }

  @Test("Several senders notify simultaneously")
  func atTheSameTime() {
    let met = (0..<2).map { _ in Gate() }
    let received = Recorder<String>()
    // Each call waits for the other, which a subject that sends one at a time would never let come.
    let a = Listener("a", in: received) { _, value in
      met[value].open()
      if !met[1 - value].wait() { received("alone") }
    }
    subject += a
    #expect(Threads.together(2) { thread in subject.send(thread) })
    #expect(Set(received.values) == ["a0", "a1"])
  }

  @Test("The subscripts may be read while others write and observers end")
  func subscripts() {
    let received = Recorder<String>()
    let stays = Listener("a", in: received)
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
    let stranger = Listener("stranger", in: Recorder())
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
