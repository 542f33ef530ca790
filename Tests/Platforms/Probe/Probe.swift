// The contract on a platform for which there are no tests: built for it with Tests/Contract/Support/EventTypes.swift, and run there or
// in an emulator. It ends with a sentence for what does not hold.
import Tidings
import TidingsTesting

@main enum Probe {
  static func main() async {
    await laws()
    await glitches()
    await isolation()
    await streams()
    await hooks()
    cycles()
    finality()
    print("the contract holds, with words of \(Int.bitWidth) bits")
  }

  static func expect(_ holds: Bool, _ sentence: String) {
    guard holds else { fatalError(sentence) }
    print("✔ \(sentence)")
  }

  /// The checks of the test kit.
  static func laws() async {
    func check<Source, Token>(_ type: EventUnderTest<Source, Token>) async {
      let report = await Contract.check(type)
      expect(report.isKept, "\(report)")
    }
    await check(EventTypes.event("an event"))
    await check(EventTypes.local("a local event"))
    await check(EventTypes.view("a mapped event") { AnyEventSource($0.map { $0 }) })
  }

  /// Threads write two values together, others read what is derived of both.
  static func glitches() async {
    let (left, right) = (Observed(0), Observed(0))
    let (double, negative) = (Derived { left.value * 2 }, Derived { -right.value })
    let sum = Derived { double.value + 2 * negative.value }
    let torn = Recorder<Int>()
    let subscription = sum.observe { change in
      if change.new != 0 { torn(change.new) }
    }
    await withTaskGroup(of: Void.self) { group in
      for writer in 1...2 {
        group.addTask {
          for number in 1...500 {
            transaction {
              left.set(number * writer)
              right.set(number * writer)
            }
          }
        }
        group.addTask {
          for value in (1...1_000).map({ _ in sum.value }) where value != 0 { torn(value) }
        }
      }
    }
    subscription.cancel()
    expect(torn.values.isEmpty, "no reader and no handler sees half of a transaction")
    let price = Observed(1)
    let total = Derived { price.value + 1 }
    let received = Recorder<Int>()
    let counted = total.observe { received($0.new) }
    for number in 2...5 { price.set(number) }
    counted.cancel()
    expect(received.values == [3, 4, 5, 6], "a derived value notifies once for each change")
  }

  actor Counter {
    var values: [Int] = []
    func add(_ value: Int) { values.append(value) }
  }
  @MainActor final class Page { var values: [Int] = [] }
  /// A handler of an actor runs there, whose closure is converted to one that does not say so.
  static func isolation() async {
    let event = Event<Int>()
    let counter = Counter()
    let subscription = event.observe(with: counter) { counter, value in counter.add(value) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...4 { group.addTask { for number in 1...100 { event.emit(number) } } }
    }
    await event.drained()
    subscription.cancel()
    expect(await counter.values.count == 400, "a handler of an actor receives what all threads emit")
    let count = await onMain(event)
    expect(count == 3, "a handler of the main actor is called in place")
  }
  @MainActor static func onMain(_ event: Event<Int>) -> Int {
    let page = Page()
    let subscription = event.observe(with: page) { page, value in
      MainActor.assertIsolated()
      page.values.append(value)
    }
    for number in 1...3 { event.emit(number) }
    subscription.cancel()
    return page.values.count
  }

  static func streams() async {
    let event = Event<Int>()
    let (all, newest) = (event.stream(), event.stream(buffering: .newest(2)))
    for number in 1...10 { event.emit(number) }
    event.finish()
    var (first, second): ([Int], [Int]) = ([], [])
    for await number in all { first.append(number) }
    for await number in newest { second.append(number) }
    expect(first == Array(1...10) && second == [9, 10], "a stream receives what is emitted, or the newest of it")
  }

  static func hooks() async {
    let hook = Hook<Int, Int, Never>("probe")
    let handlers = (1...3).map { factor in hook.handle { $0 * factor } }
    expect(await hook.all(7) == [7, 14, 21], "a hook gives the answers of all handlers")
    for handler in handlers { handler.cancel() }
  }

  static func cycles() {
    let event = Event<Int>("probe.cycle", maximumDepth: 20)
    let calls = Recorder<Int>()
    let subscription = event.observe { value in
      calls(value)
      event.emit(value + 1, isolation: nil)
    }
    event.emit(1)
    subscription.cancel()
    expect((1...21).contains(calls.values.count), "a cycle of emissions is rejected")
  }

  static func finality() {
    let source = Observed(1)
    var chain = Derived { source.value }
    for _ in 1...1_000 {
      let previous = chain
      chain = Derived { previous.value + 1 }
    }
    expect(chain.value == 1_001, "a chain of values is computed within the stack")
    source.set(2)
    expect(chain.value == 1_002, "and again when its source has changed")
  }
}
