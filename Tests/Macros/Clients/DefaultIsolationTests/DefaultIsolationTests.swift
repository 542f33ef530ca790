import Testing
import TidingsMacros
import TidingsTesting

// The module is isolated to the main actor by default: nothing here says so.
final class Part {
  let size: Int
  init(_ size: Int) { self.size = size }
}

@ObservedProperties final class Ticket {
  var symbol = "MSFT"
  var quantity = 1
  var price = 100.0
  var part: Part = Part(1)
  private(set) var fills: [Int] = []
  @Derived var total: Double { Double(quantity) * price }
  func fill(_ count: Int) { fills.append(count) }
}

final class Screen {
  private(set) var text = ""
  private var subscriptions: Set<Subscription> = []
  init(_ ticket: Ticket) {
    ticket.$total.observe { [weak self] change in self?.text = "\(change.new)" }.store(in: &subscriptions)
  }
}

@Suite("Models of a module that is isolated to the main actor")
struct DefaultIsolationTests {
  @Test("Assignments call its handlers in place")
  func inPlace() {
    let ticket = Ticket()
    let screen = Screen(ticket)
    ticket.quantity = 5
    #expect(screen.text == "500.0")
    ticket.part = Part(2)
    ticket.fill(1)
    #expect(ticket.part.size + ticket.fills.count == 3)
  }

  @Test("Its properties are read, observed and restored off the actor")
  func elsewhere() async {
    let ticket = Ticket()
    let before = ticket.snapshot()
    await Task.detached {
      let received = Recorder<Double>()
      let token = ticket.$total.observe { change in received(change.new) }
      ticket.$quantity.set(2)
      ticket.restore(before)
      #expect(received.values == [200, 100])
      token.cancel()
    }.value
  }
}
