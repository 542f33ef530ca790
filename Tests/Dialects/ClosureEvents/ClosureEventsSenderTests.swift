import ClosureEvents
import Testing
import TidingsTesting

private protocol Named { var name: String { get } }
extension Clock: Named {}
private struct Stamp: Named { let name: String }
private final class Holder {
  let canary: Canary
  lazy var ticked = Event<Holder, EmptyArgs>(sender: self)
  lazy var changed = PropertyChangedEvent(sender: self, delivery: .immediate)
  init(_ canary: Canary) { self.canary = canary }
}

@Suite("ClosureEvents: the sender", .timeLimit(.minutes(20)))
struct ClosureEventsSenderTests {
  let received = Recorder<String>()
  let canaries = Canaries()

  @Test(
    "An object of any declared type is passed as itself and not retained; after its deinitialization nothing is called")
  func object() {
    func isPassedAndReleased<Sender>(_ make: (Clock) -> Event<Sender, Tick>) -> Bool {
      var clock: Clock? = Clock("tower")
      weak let released = clock
      let event = make(clock!)
      let senders = Recorder<String>()
      event += Closure { sender, _ in senders((sender as? Clock)?.name ?? "another") }
      event.invoke(with: Tick())
      clock = nil
      event.invoke(with: Tick())
      return released == nil && senders.values == ["tower"]
    }
    #expect(isPassedAndReleased { Event<Clock, Tick>(sender: $0, delivery: .immediate) })
    #expect(isPassedAndReleased { Event<Any, Tick>(sender: $0, delivery: .immediate) })
    #expect(isPassedAndReleased { Event<AnyObject, Tick>(sender: $0, delivery: .immediate) })
    #expect(isPassedAndReleased { Event<any Named, Tick>(sender: $0, delivery: .immediate) })
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

  @Test("An object that holds its own event is released, also after a change in the background")
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

  @Test("Invocations are delivered also when the event is deinitialized, and the closures are released after that")
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
}
