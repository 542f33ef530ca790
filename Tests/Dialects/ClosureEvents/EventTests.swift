import ClosureEvents
import Testing
import TidingsTesting

@Suite("What an event keeps of the original", .timeLimit(.minutes(20)))
struct EventTests {
  let received = Recorder<String>()

  @Test("Closures are called in the order of adding, with the sender", arguments: [Delivery.background, .immediate])
  func order(delivery: Delivery) async {
    let event = Ticking(delivery)
    for name in ["a", "b", "c"] { event.ticked += TickClosure { [received] clock, _ in received(name + clock.name) } }
    event.tick(1)
    #expect(await received.values(atLeast: 3) == ["aclock", "bclock", "cclock"])
  }

  @Test("Delivery is off the caller's thread, unless asked for otherwise")
  func offTheCallersThread() {
    let caller = Recorder<UInt>()
    let event = Ticking()
    event.ticked += TickClosure { _, _ in caller(Threads.current) }
    #expect(event.ticked.becameIdle())
    #expect(caller.values != [Threads.current])
    #expect(caller.values.count == 1)
  }

  @Test("`invoke` returns before the closures have run")
  func returnsImmediately() {
    let holding = Holding()
    let event = Ticking()
    event.ticked += holding.closure
    event.ticked += noting("a", in: received)
    event.tick(1)
    #expect(holding.entered.wait())
    #expect(received.values.isEmpty)
    holding.proceed.open()
    #expect(event.ticked.becameIdle())
    #expect(received.values == ["a1", "a0"])
  }

  @Test("A closure that was added twice is called twice, and taken away one at a time, the first first")
  func twice() {
    let event = Ticking(.immediate)
    let (a, b) = (noting("a", in: received), noting("b", in: received))
    event.ticked += a
    event.ticked += b
    event.ticked += a
    event.tick(1)
    event.ticked -= a
    event.tick(2)
    event.ticked -= a
    event.tick(3)
    #expect(received.values == ["a1", "b1", "a1", "b2", "a2", "b3"])
  }

  @Test("A closure that the event does not have is ignored")
  func unknown() {
    let event = Ticking(.immediate)
    event.ticked -= noting("b", in: received)
    let a = noting("a", in: received)
    event.ticked += a
    event.ticked -= noting("a", in: received)
    event.tick(1)
    event.ticked -= a
    event.ticked -= a
    event.tick(2)
    #expect(received.values == ["a1"])
  }

  @Test("Several closures are added and removed together, in their order")
  func several() {
    let event = Ticking(.immediate)
    let (a, b, c) = (noting("a", in: received), noting("b", in: received), noting("c", in: received))
    event.ticked += [a, b, c, a]
    event.tick(1)
    event.ticked -= [a, c]
    event.tick(2)
    #expect(received.values == ["a1", "b1", "c1", "a1", "b2", "a2"])
  }

  @Test("A closure taken away after `invoke` and before its turn is not called")
  func takenAwayMeanwhile() {
    let holding = Holding()
    let event = Ticking()
    let (a, b) = (noting("a", in: received), noting("b", in: received))
    event.ticked += holding.closure
    event.ticked += [a, b]
    event.tick(1, 2)
    #expect(holding.entered.wait())
    event.ticked -= a
    holding.proceed.open()
    #expect(event.ticked.becameIdle())
    #expect(received.values == ["b1", "b2", "b0"])
  }

  @Test("A closure receives what is invoked after it was added, and nothing that was under way")
  func addedMeanwhile() {
    let holding = Holding()
    let event = Ticking()
    event.ticked += holding.closure
    event.tick(1, 2)
    #expect(holding.entered.wait())
    event.ticked += noting("a", in: received)
    event.tick(3)
    holding.proceed.open()
    #expect(event.ticked.becameIdle())
    #expect(received.values == ["a3", "a0"])
  }

  @Test("`.immediate`: called before `invoke` returns, on the caller")
  func inPlace() {
    let caller = Recorder<UInt>()
    let event = Ticking(.immediate)
    event.ticked += TickClosure { _, _ in caller(Threads.current) }
    event.tick(1)
    #expect(caller.values == [Threads.current])
  }

  @Test("`.immediate`: what a closure invokes reaches all before the outer one continues")
  func nested() {
    let event = Ticking(.immediate)
    let nesting = TickClosure { [received, ticked = event.ticked] _, tick in
      received("a\(tick.count)")
      if tick.count == 1 { ticked.invoke(with: Tick(count: 2)) }
    }
    event.ticked += [nesting, noting("b", in: received)]
    event.tick(1)
    event.ticked -= nesting
    #expect(received.values == ["a1", "a2", "b2", "b1"])
  }

  @Test("Args that are a class carry an answer back, in what a closure sets")
  func answer() {
    final class Closing: EventArgs { var isRejected = false }
    let clock = Clock()
    let closing = Event<Clock, Closing>(sender: clock, delivery: .immediate)
    let question = Closing()
    closing.invoke(with: question)
    #expect(!question.isRejected)
    closing += Closure { _, question in question.isRejected = true }
    closing.invoke(with: question)
    #expect(question.isRejected)
  }

  @Test("`.main`: called on the main actor, in the order of `invoke`")
  func onMain() async {
    let event = Ticking(.main)
    event.ticked += TickClosure { [received] _, tick in
      MainActor.assumeIsolated { received("a\(tick.count)") }
    }
    event.tick(1, 2, 3)
    #expect(await received.values(atLeast: 3) == ["a1", "a2", "a3"])
  }

  @MainActor
  @Test("`.main`: however much has piled up, all of it is delivered on the main actor")
  func muchOnMain() async {
    let event = Ticking(.main)
    event.ticked += TickClosure { [received] _, tick in
      MainActor.assumeIsolated { received("\(tick.count)") }
    }
    for count in 1...3_000 { event.tick(count) }
    #expect(received.values.isEmpty)
    #expect(await received.values(atLeast: 3_000) == (1...3_000).map { "\($0)" })
  }

  @Test("Args may be empty")
  func noArgs() {
    let clock = Clock()
    let opened = Event<Clock, EmptyArgs>(sender: clock, delivery: .immediate)
    opened += Closure { [received] clock, _ in received(clock.name) }
    opened.invoke(with: EmptyArgs())
    #expect(received.values == ["clock"])
  }

  @Test("An event may be subclassed, and its `invoke` overridden")
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
}
