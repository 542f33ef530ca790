import ClosureEvents
import Testing
import TidingsTesting

/// An event of numbers that can be waited for.
private final class Source: Sendable {
  struct Number: EventArgs { let value: Int }
  typealias Handler = Closure<String, Number>
  let event: Event<String, Number>
  private let emitted = Locked(0)
  private static let marker = Int.min

  init(_ delivery: Delivery) { event = Event(sender: "source", delivery: delivery) }

  func add(_ handler: @escaping @Sendable (Int) -> Void) -> Removal {
    let closure = Handler { _, number in if number.value != Self.marker { handler(number.value) } }
    event += closure
    return Removal(event, closure)
  }
  func emit(_ value: Int) {
    event.invoke(with: Number(value: value))
    emitted.withLock { $0 += 1 }  // after it: what is counted is in the queue
  }

  /// Returns when all has been delivered, what closures invoked included, and no thread delivers any more.
  func quiesce() async {
    let canaries = Canaries()
    var before = -1
    while before != emitted.current {
      before = emitted.current
      let received = Recorder<Int>()
      let last = add { [canary = canaries.make()] _ in canary.touch() }
      let marking = Handler { _, number in if number.value == Self.marker { received(0) } }
      event += marking
      event.invoke(with: Number(value: Self.marker))
      _ = await received.values(atLeast: 1)
      event -= marking
      last.remove()
      // The thread that still delivers releases what was taken away when there is nothing left to deliver.
      _ = await canaries.quiesce()
    }
  }
}

/// Takes a closure away, and keeps neither it nor the event.
private struct Removal: Sendable {
  private weak let event: Event<String, Source.Number>?
  private weak let closure: Source.Handler?
  init(_ event: Event<String, Source.Number>, _ closure: Source.Handler) {
    self.event = event
    self.closure = closure
  }
  func remove() {
    if let event, let closure { event -= closure }
  }
}

@Suite("ClosureEvents: the contract", .timeLimit(.minutes(20)))
struct ClosureEventsContractTests {
  private func type(_ name: String, _ delivery: Delivery, depth: Int) -> EventUnderTest<Source, Removal> {
    var type = EventUnderTest<Source, Removal>(
      name, make: { Source(delivery) }, add: { $0.add($1) }, emit: { $0.emit($1) }, cancel: { $0.remove() })
    type.isThreadSafe = true
    type.maximumDepth = depth
    return type
  }

  @Test("In the background an event keeps every sentence but that of being called before `invoke` returns")
  func background() async {
    var type = type("ClosureEvents.Event, in the background", .background, depth: 10_000)
    type.quiesce = { await $0.quiesce() }
    await expectContract(
      type, except: [5: "notified on a background queue, as its users know it"], mayNeed: [5],
      kept: [1, 2, 3, 4, 6, 9, 10, 11, 15, 23])
  }

  @Test("On its caller an event keeps every sentence but those of one order for all")
  func immediate() async {
    await expectContract(
      type("ClosureEvents.Event, immediate", .immediate, depth: 200),
      except: [
        2: "threads are notified at the same time, so that each has its answer when `invoke` returns",
        4: "an inner `invoke` is answered before it returns",
      ], kept: [1, 3, 5, 6, 9, 10, 11, 15, 23])
  }
}
