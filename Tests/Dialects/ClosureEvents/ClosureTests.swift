import ClosureEvents
import Testing
import TidingsTesting

@Suite("A closure can be found again")
struct ClosureTests {
  @Test("Two closures are equal when they are one object, whatever they call")
  func identity() {
    let call: EventClosure<Clock, Tick> = { _, _ in }
    let (first, second) = (TickClosure(closure: call), TickClosure(closure: call))
    #expect(first == first)
    #expect(first != second)
  }

  @Test("Invoked by hand, it calls with sender and args")
  func invokedByHand() {
    let received = Recorder<String>()
    let closure = TickClosure { clock, tick in received("\(clock.name) \(tick.count)") }
    closure.invoke(sender: Clock("tower"), args: Tick(count: 3))
    #expect(received.values == ["tower 3"])
  }

  @Test("One closure receives several events")
  func severalEvents() {
    let received = Recorder<String>()
    let closure = TickClosure { clock, _ in received(clock.name) }
    let clocks = [Clock("tower"), Clock("kitchen")]
    let events = clocks.map { Event<Clock, Tick>(sender: $0, delivery: .immediate) }
    for event in events { event += closure }
    // The events hold them weakly.
    withExtendedLifetime(clocks) { for event in events { event.invoke(with: Tick()) } }
    #expect(received.values == ["tower", "kitchen"])
  }

  @Test("A subclass is a short name for a long type, with the same initialisers")
  func subclass() {
    final class ClockClosure: Closure<Clock, Tick>, @unchecked Sendable {}
    let received = Recorder<Int>()
    let event = Ticking(.immediate)
    event.ticked += ClockClosure { _, tick in received(tick.count) }
    event.ticked += ClockClosure(closure: { _, tick in received(-tick.count) })
    event.tick(1)
    #expect(received.values == [1, -1])
  }
}
