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
    let heard = Recorder<String>()
    let closure = TickClosure { clock, tick in heard("\(clock.name) \(tick.count)") }
    closure.invoke(sender: Clock("tower"), args: Tick(count: 3))
    #expect(heard.values == ["tower 3"])
  }

  @Test("One closure receives several events")
  func severalEvents() {
    let heard = Recorder<String>()
    let closure = TickClosure { clock, _ in heard(clock.name) }
    let clocks = [Clock("tower"), Clock("kitchen")]
    let events = clocks.map { Event<Clock, Tick>(sender: $0, delivery: .immediate) }
    for event in events { event += closure }
    // The events hold them weakly.
    withExtendedLifetime(clocks) { for event in events { event.invoke(with: Tick()) } }
    #expect(heard.values == ["tower", "kitchen"])
  }

  @Test("A subclass is a short name for a long type, with the same initialisers")
  func subclass() {
    final class ClockClosure: Closure<Clock, Tick>, @unchecked Sendable {}
    let heard = Recorder<Int>()
    let event = Ticking(.immediate)
    event.ticked += ClockClosure { _, tick in heard(tick.count) }
    event.ticked += ClockClosure(closure: { _, tick in heard(-tick.count) })
    event.tick(1)
    #expect(heard.values == [1, -1])
  }
}
