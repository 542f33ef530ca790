import ClosureEvents
import Testing
import TidingsTesting

@Suite("From any thread", .timeLimit(.minutes(20)))
struct ThreadTests {
  @Test(
    "Four threads adding, removing and firing simultaneously lose no delivery",
    arguments: [Delivery.background, .immediate])
  func fourThreads(delivery: Delivery) {
    let (threads, rounds) = (4, 300)
    let event = Ticking(delivery)
    let received = Recorder<Int>()
    event.ticked += TickClosure { _, tick in received(tick.count) }
    let own = (0..<threads).map { _ in Recorder<Int>() }
    let ended = Threads.together(threads) { thread in
      for round in 0..<rounds {
        let count = thread * 10_000 + round
        let passing = TickClosure { _, _ in }
        event.ticked += passing
        if round % 10 == 0 { event.ticked += TickClosure { _, tick in if tick.count == count { own[thread](count) } } }
        event.tick(count)
        event.ticked -= passing
      }
    }
    #expect(ended)
    if delivery == .background { #expect(event.ticked.becameIdle(notifying: -1)) }
    let all = received.values.filter { $0 >= 0 }
    #expect(all.count == threads * rounds)
    #expect(Set(all).count == threads * rounds)
    for thread in 0..<threads {
      #expect(own[thread].values == stride(from: 0, to: rounds, by: 10).map { thread * 10_000 + $0 })
    }
  }

  @Test("Add, take away and invoke inside a closure come back", arguments: [Delivery.background, .immediate])
  func insideAClosure(delivery: Delivery) async {
    let received = Recorder<String>()
    let event = Ticking(delivery)
    let done = Gate()
    let other = noting("b", in: received)
    let added = noting("c", in: received)
    let itself = Locked<TickClosure?>(nil)
    let closure = TickClosure { [ticked = event.ticked] _, tick in
      received("a\(tick.count)")
      ticked -= other
      ticked += added
      if let itself = itself.current { ticked -= itself }
      ticked.invoke(with: Tick(count: tick.count + 1))
      done.open()
    }
    itself.withLock { $0 = closure }
    event.ticked += [closure, other]
    #expect(await Threads.elsewhere { event.tick(1) })
    #expect(done.wait())
    if delivery == .background { #expect(event.ticked.becameIdle()) }
    #expect(received.values.prefix(2) == ["a1", "c2"])
    itself.withLock { $0 = nil }
  }

  @Test("A closure that blocks holds up its own event only")
  func blocked() {
    let holding = Holding()
    let (first, second) = (Ticking(), Ticking())
    first.ticked += holding.closure
    first.tick(1)
    #expect(holding.entered.wait())
    #expect(second.ticked.becameIdle())
    holding.proceed.open()
    #expect(first.ticked.becameIdle())
  }

  @Test("What ends with a closure may use the event: nothing is locked while it does")
  func endOfACapture() {
    final class Leaving: Sendable {
      let ticked: Event<Clock, Tick>
      let last: TickClosure
      init(_ ticked: Event<Clock, Tick>, _ last: TickClosure) { (self.ticked, self.last) = (ticked, last) }
      deinit {
        ticked += last
        ticked -= last
        last.invoke(sender: Clock(), args: Tick())
      }
    }
    let ended = Recorder<String>()
    let event = Ticking(.immediate)
    let doomed = Locked<TickClosure?>(nil)
    // Takes away the last reference but the event's own, while the event delivers.
    event.ticked += TickClosure { [ticked = event.ticked] _, _ in
      let closure = doomed.withLock { closure in
        defer { closure = nil }
        return closure
      }
      if let closure { ticked -= closure }
    }
    for round in 1...20 {
      do {
        let closure = TickClosure { [leaving = Leaving(event.ticked, noting("ended", in: ended))] _, _ in
          withExtendedLifetime(leaving) {}
        }
        event.ticked += closure
        doomed.withLock { $0 = closure }
      }
      #expect(Threads.elsewhere { event.tick(round) })
      #expect(ended.values.count == round)
    }
  }
}
