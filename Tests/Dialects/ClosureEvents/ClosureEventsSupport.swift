import ClosureEvents
import TidingsTesting

struct Tick: EventArgs, Equatable { var count = 0 }
typealias TickClosure = Closure<Clock, Tick>

final class Clock: Sendable {
  let name: String
  init(_ name: String = "clock") { self.name = name }
}

/// An event with a clock that lives as long as the test has it.
struct Ticking {
  let clock = Clock()
  let ticked: Event<Clock, Tick>
  init(_ delivery: Delivery = .background) { ticked = Event(sender: clock, delivery: delivery) }

  func tick(_ counts: Int...) { for count in counts { ticked.invoke(with: Tick(count: count)) } }
}

/// A closure that notes what it receives under a name.
func noting(_ name: String, in received: Recorder<String>) -> TickClosure {
  TickClosure { _, tick in received("\(name)\(tick.count)") }
}

/// A closure that holds the delivery up at its first call, until it is released.
struct Holding {
  let entered = Gate()
  let proceed = Gate()
  var closure: TickClosure {
    TickClosure { [self] _, _ in
      entered.open()
      proceed.wait()
    }
  }
}

extension Event<Clock, Tick> {
  /// Returns when everything that was invoked before has been delivered: for events that deliver later.
  func becameIdle(notifying count: Int = 0) -> Bool {
    let gate = Gate()
    let last = TickClosure { _, _ in gate.open() }
    self += last
    defer { self -= last }
    invoke(with: Tick(count: count))
    return gate.wait()
  }
}
