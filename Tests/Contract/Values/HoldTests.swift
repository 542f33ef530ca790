import Testing
import Tidings
import TidingsTesting

@Suite("From events to values, and from sequences to events", .timeLimit(.minutes(20)))
struct HoldTests {
  @Test(
    """
    33. A value that `hold` or `reduce` makes of an event has taken each value up once, and before the handlers that were \
    added later, for as long as the value, a subscription to it or what is derived from it is kept.
    """)
  func holding() {
    let (event, seen) = (Event<Int>(), Recorder<String>())
    let (last, first, sum) = (event.hold(nil), event.hold(0), event.reduce(into: 0) { $0 += $1 })
    let doubled = Derived { sum.value * 2 }
    let token = event.observe { seen("\($0): \(last.value ?? -1) \(first.value) \(sum.value) \(doubled.value)") }
    let changes = sum.observe { seen("\($0.old!) → \($0.new)") }
    #expect(last.value == nil && first.value == 0 && sum.value == 0)
    event.emit(1)
    event.emit(5)
    #expect(seen.values == ["0 → 1", "1: 1 1 1 2", "1 → 6", "5: 5 5 6 12"])
    withExtendedLifetime((token, changes)) {}
  }

  @Test(
    "33. No value is lost that several threads emit, under each policy", arguments: [DeliveryPolicy.serial, .immediate])
  func acrossThreads(policy: DeliveryPolicy) {
    let event = Event<Int>(policy: policy)
    let (sum, chain) = (event.reduce(into: 0) { $0 += $1 }, Recorder<Change<Int>>())
    let token = sum.observe { chain($0) }
    Threads.together(3) { _ in for _ in 0..<200 { event.emit(1) } }
    #expect(sum.value == 600)
    #expect(chain.values.map(\.new) == Array(1...600))
    token.cancel()
  }

  @Test("33. The subscription to the event lives as long as the value, a subscription to it or a derived value")
  func lifetime() async {
    // Computations in progress on threads of other tests delay the release of what a derived value captured.
    func ends(_ event: Event<Int>) async -> Bool { await eventually { event.diagnostics.count == 0 } }
    let (event, seen) = (Event<Int>(), Recorder<Int>())
    var held: ReadOnly<Int>? = event.hold(0)
    #expect(event.diagnostics.count == 1)
    held = nil
    #expect(await ends(event))
    let token = event.hold(0).observe { seen($0.new) }
    event.emit(1)
    #expect(seen.values == [1])
    token.cancel()
    #expect(await ends(event))
    var derived: Derived<Int>? = event.hold(0).chain { Observed($0 + 1) }
    event.emit(2)
    #expect(derived?.value == 3)
    derived = nil
    #expect(await ends(event))
    withExtendedLifetime(held) {}
  }

  @Test("33. What is emitted in a transaction is taken up with its writes, and not at all if it throws")
  func inTransactions() {
    let (event, seen) = (Event<Int>(), Recorder<Int>())
    let held = event.hold(0)
    let token = held.observe { seen($0.new) }
    transaction {
      event.emit(1)
      event.emit(2)
      #expect(held.value == 2, "this thread sees its own writes")
      #expect(seen.values == [])
    }
    #expect(held.value == 2 && seen.values == [2])
    try? transaction {
      event.emit(3)
      throw Oops()
    }
    #expect(held.value == 2 && seen.values == [2])
    token.cancel()
  }

  @Test("33. A handler of the value on the emitter's actor is called in place")
  @MainActor
  func inPlace() {
    let (event, screen) = (Event<Int>(), Shown())
    let token = event.hold(0).observe { screen.values.append($0.new) }
    event.emit(1)
    #expect(screen.values == [1])
    token.cancel()
  }

  @Test("`changes` of a value is its event: operators, streams, and with `.initial` the value of the moment")
  func changes() async {
    let (price, seen) = (Observed(1), Recorder<String>())
    let token = price.changes.filter { $0.new > 2 }.observe { seen("\($0.old!) → \($0.new)") }
    let initial = price.changes(.initial).map(\.new).pairwise().observe { seen("\($0.0), \($0.1)") }
    let stream = price.changes(.initial).map(\.new).prefix(3).stream()
    price.set(2)
    price.set(3)
    #expect(seen.values == ["1, 2", "2 → 3", "2, 3"])
    #expect(await stream.all() == [1, 2, 3])
    withExtendedLifetime((token, initial)) {}
  }

  @Test(
    """
    34. A pump emits the elements of its sequence in order, and ends with the sequence, when its token is cancelled or \
    dropped, and when an element finds the event or value deinitialized, which it does not keep alive.
    """)
  func pumping() async {
    let (event, seen) = (Event<Int>(), Recorder<Int>())
    let value = Observed(0)
    let token = event.observe { seen($0) }
    let (elements, input) = AsyncStream.makeStream(of: Int.self)
    let pump = event.emit(each: elements)
    for element in 1...3 { input.yield(element) }
    input.finish()
    await pump.finished()
    #expect(seen.values == [1, 2, 3])
    await value.set(each: AsyncStream { $0.finish() }).finished()
    await value.set(each: counted(to: 4)).finished()
    #expect(value.value == 4)
    token.cancel()
  }

  @Test("34. Dropping or cancelling the token ends the task, and the event may be destroyed before its sequence")
  func pumpEnds() async {
    for end in ["drop", "cancel", "event"] {
      let (ended, latch) = (Recorder<String>(), Latch())
      var event: Event<Int>? = Event<Int>()
      let (elements, input) = AsyncStream.makeStream(of: Int.self)
      input.onTermination = { _ in
        ended(end)
        latch.open()
      }
      let seen = Recorder<Int>()
      let token = event!.observe { seen($0) }
      var pump: Pump? = event!.emit(each: elements)
      input.yield(1)
      #expect(await seen.values(atLeast: 1) == [1])
      switch end {
      case "drop": pump = nil
      case "cancel": pump?.cancel()
      default:
        event = nil
        input.yield(2)
      }
      if end == "event" { await pump?.finished() } else { await latch.wait() }
      #expect(seen.values == [1])
      withExtendedLifetime((token, event)) {}
    }
  }

  @Test("34. What the sequence throws reaches `onError`, and ends the task")
  func pumpFails() async {
    let (event, seen, errors) = (Event<Int>(), Recorder<Int>(), Recorder<Int>())
    let token = event.observe { seen($0) }
    let (elements, input) = AsyncThrowingStream.makeStream(of: Int.self)
    let pump = event.emit(each: elements, onError: { errors(($0 as? Oops)?.value ?? -1) })
    input.yield(1)
    input.finish(throwing: Oops(value: 7))
    await pump.finished()
    #expect(seen.values == [1])
    #expect(errors.values == [7])
    token.cancel()
  }
}

private func counted(to last: Int) -> AsyncStream<Int> {
  AsyncStream { input in
    for element in 1...last { input.yield(element) }
    input.finish()
  }
}

@MainActor
private final class Shown {
  var values: [Int] = []
}
