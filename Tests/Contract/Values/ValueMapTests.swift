import Testing
import Tidings
import TidingsTesting

@Suite("Values made of values")
struct ValueMapTests {
  @Test(
    """
    41. `map` of a value is a value: it can be read, follows its source, and notifies its handlers when it differs. `changes` of a \
    value is the event of its changes, each with old and new, in their order.
    """)
  func mapOfAValueIsAValue() {
    let (price, calls) = (Observed(10), Locked(0))
    let label: Derived<String> = price.map { price in
      calls.withLock { $0 += 1 }
      return "\(price / 10) tens"
    }
    #expect(calls.current == 0, "nothing is computed before the first read")
    #expect(label.value == "1 tens" && label.value == "1 tens" && calls.current == 1)
    let received = ChangeRecorder<String>()
    let token = label.observe { received($0) }
    price.set(12)
    #expect(received.changes.isEmpty && calls.current == 2, "an equal result is no change")
    price.set(25)
    #expect(received.changes == [.from("1 tens", to: "2 tens")])
    let sum = Derived { "\(label.value), \(price.map { $0 + 1 }.value)" }
    #expect(sum.value == "2 tens, 26")
    transaction {
      price.set(30)
      #expect(label.value == "3 tens")
    }
    #expect(sum.value == "3 tens, 31")
    changesAreTheEvent()
    keepsTheValueAndNotTheSource()
    withExtendedLifetime(token) {}
  }

  private func changesAreTheEvent() {
    let (price, received, rises) = (Observed(1), ChangeRecorder<Int>(), Recorder<Int>())
    let all: AnyEventSource<Change<Int>> = price.changes
    let tokens = [
      all.observe { received($0) }, price.changes.filter { $0.new > $0.old! }.map { $0.new }.observe { rises($0) },
    ]
    for new in [2, 2, 1, 5] { price.set(new) }
    #expect(received.changes == [.from(1, to: 2), .from(2, to: 2), .from(2, to: 1), .from(1, to: 5)])
    #expect(rises.values == [2, 5])
    withExtendedLifetime(tokens) {}
  }

  private func keepsTheValueAndNotTheSource() {
    var price: Observed<Int>? = Observed(7)
    let (double, events) = (price!.map { $0 * 2 }, Locked<AnyEventSource<Change<Int>>?>(price!.readOnly.changes))
    weak let source = price
    price = nil
    #expect(source != nil, "an event made of a value keeps it, as every operator does")
    events.current = nil
    #expect(source == nil && double.value == 14)
  }
}
