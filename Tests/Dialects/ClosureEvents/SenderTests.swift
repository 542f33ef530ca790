import ClosureEvents
import Testing
import TidingsTesting

protocol Named { var name: String { get } }
extension Clock: Named {}
private struct Stamp: Named { let name: String }
private final class Holder {
  let canary: Canary
  lazy var ticked = Event<Holder, EmptyArgs>(sender: self)
  lazy var changed = PropertyChangedEvent(sender: self, delivery: .immediate)
  init(_ canary: Canary) { self.canary = canary }
}

@Suite("The sender", .timeLimit(.minutes(20)))
struct SenderTests {
  let received = Recorder<String>()
  let canaries = Canaries()

  @Test("An event does not keep its sender, whatever the sender is written as")
  func notKept() {
    func ends<Sender>(_ make: (Clock) -> Event<Sender, Tick>) -> Bool {
      var clock: Clock? = Clock()
      weak let released = clock
      let event = make(clock!)
      event += Closure { _, _ in }
      event.invoke(with: Tick())
      clock = nil
      return withExtendedLifetime(event) { released == nil }
    }
    #expect(ends { Event<Clock, Tick>(sender: $0, delivery: .immediate) })
    #expect(ends { Event<Any, Tick>(sender: $0, delivery: .immediate) })
    #expect(ends { Event<AnyObject, Tick>(sender: $0, delivery: .immediate) })
    #expect(ends { Event<any Named, Tick>(sender: $0, delivery: .immediate) })
  }

  @Test("An object that holds its own event ends, also after a change in the background")
  func holderOfItsEvent() async {
    do {
      let holder = Holder(canaries.make())
      let notified = Gate()
      holder.ticked += Closure { _, _ in notified.open() }
      holder.changed += PropertyChangeClosure { _, _ in }
      holder.ticked.invoke(with: EmptyArgs())
      holder.changed.invoke(with: .allProperties)
      #expect(notified.wait())
    }
    // The job that delivered releases the last reference a moment after its last call.
    #expect(await canaries.quiesce())
  }

  @Test("An `invoke` after the sender's end is dropped")
  func afterTheEnd() {
    var clock: Clock? = Clock()
    let event = Event<Clock, Tick>(sender: clock!, delivery: .immediate)
    event += noting("a", in: received)
    event.invoke(with: Tick(count: 1))
    clock = nil
    event.invoke(with: Tick(count: 2))
    #expect(received.values == ["a1"])
  }

  @Test("A delivery under way keeps the sender until every closure has been called")
  func keptByADelivery() async {
    let holding = Holding()
    var clock: Clock? = Clock("tower")
    weak let released = clock
    let event = Event<Clock, Tick>(sender: clock!)
    event += holding.closure
    event += TickClosure { [received] clock, _ in received(clock.name) }
    event.invoke(with: Tick())
    event.invoke(with: Tick())
    #expect(holding.entered.wait())
    clock = nil
    #expect(released != nil)
    holding.proceed.open()
    #expect(await eventually { released == nil })
    #expect(received.values == ["tower", "tower"])
  }

  @Test("What was invoked is delivered also when the event is deinitialized, and the closures are released after that")
  func eventIsDestroyed() async {
    let (holding, arrived) = (Holding(), Gate())
    do {
      let event = Event<Int, Tick>(sender: 7)
      let first = holding.closure
      event += Closure { _, tick in first.invoke(sender: Clock(), args: tick) }
      event += Closure { [received, canary = canaries.make()] sender, tick in
        canary.touch()
        received("\(sender) \(tick.count)")
        if tick.count == 3 { arrived.open() }
      }
      for count in 1...3 { event.invoke(with: Tick(count: count)) }
      #expect(holding.entered.wait())
    }
    holding.proceed.open()
    #expect(arrived.wait(), "what was invoked is not all delivered")
    #expect(received.values == ["7 1", "7 2", "7 3"])
    #expect(await canaries.quiesce())
  }

  @Test("A value is a sender too, and is kept")
  func value() {
    let numbered = Event<Int, Tick>(sender: 7, delivery: .immediate)
    numbered += Closure { [received] sender, _ in received("\(sender)") }
    numbered.invoke(with: Tick())
    let named = Event<any Named, Tick>(sender: Stamp(name: "stamp"), delivery: .immediate)
    named += Closure { [received] sender, _ in received(sender.name) }
    named.invoke(with: Tick())
    #expect(received.values == ["7", "stamp"])
  }

  @Test("Written as a protocol or as `Any`, the sender is still itself")
  func written() {
    let clock = Clock("tower")
    let named = Event<any Named, Tick>(sender: clock, delivery: .immediate)
    named += Closure { [received] sender, _ in received("\(sender.name) \(sender as? Clock === clock)") }
    named.invoke(with: Tick())
    let any = Event<Any, Tick>(sender: clock, delivery: .immediate)
    any += Closure { [received] sender, _ in received("\(sender as? Clock === clock)") }
    any.invoke(with: Tick())
    #expect(received.values == ["tower true", "true"])
  }
}
