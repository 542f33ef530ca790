import ClosureEvents
import Testing
import TidingsTesting

@Suite("ClosureEvents: events and closures", .timeLimit(.minutes(20)))
struct ClosureEventsTests {
  let received = Recorder<String>()

  // MARK: Kept of the original

  @Test("Two closures that call the same are equal only if they are one object")
  func identity() {
    let call: EventClosure<Clock, Tick> = { _, _ in }
    let (first, second) = (TickClosure(closure: call), TickClosure(closure: call))
    #expect(first == first)
    #expect(first != second)
  }

  @Test("An event calls its closures off the caller's thread, and with `.immediate` on it")
  func threads() {
    let (background, immediate) = (Ticking(), Ticking(.immediate))
    let threads = Recorder<UInt>()
    let closure = TickClosure { _, _ in threads(Threads.current) }
    background.ticked += closure
    immediate.ticked += closure
    immediate.tick(1)
    #expect(threads.values == [Threads.current])
    #expect(background.ticked.becameIdle())
    #expect(threads.values.count == 2 && threads.values.last != Threads.current)
  }

  @Test("A closure is called as often as it was added, and taken away one at a time, the first first")
  func addedAndRemoved() {
    let event = Ticking(.immediate)
    let (a, b, c) = (noting("a", in: received), noting("b", in: received), noting("c", in: received))
    event.ticked += a
    event.ticked += [b, c, a]
    event.tick(1)
    event.ticked -= [noting("b", in: received), a, c]  // the event does not have the first
    event.tick(2)
    for count in 3...4 {
      event.ticked -= a
      event.tick(count)
    }
    #expect(received.values == ["a1", "b1", "c1", "a1", "b2", "a2", "b3", "b4"])
  }

  @Test("`invoke` may be overridden")
  func overridden() {
    final class Loud: Event<Clock, Tick>, @unchecked Sendable {
      override func invoke(with args: Tick) { super.invoke(with: Tick(count: args.count * 10)) }
    }
    let clock = Clock()
    let event = Loud(sender: clock, delivery: .immediate)
    event += noting("a", in: received)
    event.invoke(with: Tick(count: 2))
    #expect(received.values == ["a20"])
  }

  // MARK: Fixed

  @Test("In the background, each invoke reaches every closure before the next begins")
  func oneAfterAnother() {
    let event = Ticking()
    event.ticked += [noting("a", in: received), noting("b", in: received)]
    for count in 1...2_000 { event.tick(count) }
    #expect(event.ticked.becameIdle())
    #expect(received.values == (Array(1...2_000) + [0]).flatMap { ["a\($0)", "b\($0)"] })
  }

  @Test("A closure that is taken away or added while earlier invokes are under way is not called for them")
  func underWay() {
    let holding = Holding()
    let event = Ticking()
    let (a, b) = (noting("a", in: received), noting("b", in: received))
    event.ticked += [holding.closure, a]
    event.tick(1, 2)
    #expect(holding.entered.wait())
    event.ticked -= a
    event.ticked += b
    event.tick(3)
    holding.proceed.open()
    #expect(event.ticked.becameIdle())
    #expect(received.values == ["b3", "b0"])
  }

  @MainActor
  @Test("`.main`: however much has piled up, all of it is delivered on the main actor, in order")
  func muchOnMain() async {
    let event = Ticking(.main)
    event.ticked += TickClosure { [received] _, tick in
      MainActor.assumeIsolated { received("\(tick.count)") }
    }
    for count in 1...3_000 { event.tick(count) }
    #expect(received.values.isEmpty)
    #expect(await received.values(atLeast: 3_000) == (1...3_000).map { "\($0)" })
  }

  @Test(
    "Four threads adding, removing and invoking simultaneously lose no delivery, and in the background agree on one order",
    arguments: [Delivery.background, .immediate])
  func fourThreads(delivery: Delivery) {
    let (threads, rounds) = (4, 300)
    let event = Ticking(delivery)
    let (first, last) = (Recorder<Int>(), Recorder<Int>())
    event.ticked += TickClosure { _, tick in first(tick.count) }
    event.ticked += TickClosure { _, tick in last(tick.count) }
    let added = (0..<threads).map { _ in Recorder<Int>() }
    let ended = Threads.together(threads) { thread in
      for round in 0..<rounds {
        let count = thread * 10_000 + round
        let passing = TickClosure { _, _ in }
        event.ticked += passing
        if round % 10 == 0 {
          event.ticked += TickClosure { _, tick in if tick.count == count { added[thread](count) } }
        }
        event.tick(count)
        event.ticked -= passing
      }
    }
    #expect(ended)
    if delivery == .background {
      #expect(event.ticked.becameIdle(notifying: -1))
      #expect(first.values == last.values)
    }
    for thread in 0..<threads {
      let own = { $0 >= 0 && $0 / 10_000 == thread }
      #expect(first.values.filter(own) == (0..<rounds).map { thread * 10_000 + $0 })
      #expect(added[thread].values == stride(from: 0, to: rounds, by: 10).map { thread * 10_000 + $0 })
    }
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

  @Test("The deinitialization of a captured object may use the event: no lock is held")
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
        let closure = TickClosure { [leaving = Leaving(event.ticked, noting("ended", in: received))] _, _ in
          withExtendedLifetime(leaving) {}
        }
        event.ticked += closure
        doomed.withLock { $0 = closure }
      }
      #expect(Threads.elsewhere { event.tick(round) })
      #expect(received.values.count == round)
    }
  }
}
