import Testing
import Tidings
import TidingsTesting

/// What only shows when the list of handlers changes its shape while it is being walked.
@Suite("The list of handlers, changed in mid-emit")
struct HandlerListTests {
  @Test(
    "A handler cancelled after the list has grown is not called by the walk that is under way",
    arguments: [
      DeliveryPolicy.serial, .immediate,
    ])
  func cancelledAfterGrowth(policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<String>())
    let (newcomers, later) = (Locked<[Subscription]>([]), Locked<Subscription?>(nil))
    let first = event.observe { _ in
      received("first")
      for _ in 0..<40 { newcomers.current.append(event.observe { _ in received("newcomer") }) }
      later.current?.cancel()
    }
    later.current = event.observe { _ in received("later") }
    let last = event.observe { _ in received("last") }
    event.emit(1)
    #expect(received.values == ["first", "last"])
    newcomers.current = []
    withExtendedLifetime((first, last)) {}
  }

  @Test(
    "A handler paused after the list has grown is not called by the walk that is under way",
    arguments: [
      DeliveryPolicy.serial, .immediate,
    ])
  func pausedAfterGrowth(policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<String>())
    let (newcomers, later) = (Locked<[Subscription]>([]), Locked<Subscription?>(nil))
    let first = event.observe { value in
      guard value == 1 else { return }
      for _ in 0..<40 { newcomers.current.append(event.observe { _ in }) }
      later.current?.pause()
    }
    later.current = event.observe { received("later \($0)") }
    event.emit(1)
    later.current?.resume()
    event.emit(2)
    #expect(received.values == ["later 2"])
    newcomers.current = []
    withExtendedLifetime(first) {}
  }

  @Test("A place that the walk has yet to visit is not used again")
  func placeIsNotReused() {
    let (event, received) = (Event<Int>(), Recorder<String>())
    let (last, newcomer) = (Locked<Subscription?>(nil), Locked<Subscription?>(nil))
    let first = event.observe { value in
      guard value == 1 else { return }
      last.current?.cancel()
      newcomer.current = event.observe { received("newcomer \($0)") }
    }
    last.current = event.observe { received("last \($0)") }
    event.emit(1)
    event.emit(2)
    #expect(received.values == ["newcomer 2"])
    withExtendedLifetime(first) {}
  }

  @Test("Captures of a handler that cancels itself are released before the next handler is called")
  func goneBetweenTwoCalls() {
    final class Canary: Sendable {}
    let event = Event<Int>()
    let own = Locked<Subscription?>(nil)
    let (alive, seen) = (Locked<() -> Bool>({ true }), Recorder<Bool>())
    func add() {
      let canary = Canary()
      alive.current = { [weak canary] in canary != nil }
      own.current = event.observe { _ in withExtendedLifetime(canary) { own.current?.cancel() } }
    }
    add()
    let next = event.observe { _ in seen(alive.current()) }
    #expect(alive.current())
    event.emit(1)
    #expect(seen.values == [false])
    withExtendedLifetime(next) {}
  }

  @Test("Owners that came and went without a value leave nothing but a table's worth")
  func orphans() {
    let event = Event<Int>()
    for _ in 0..<10_000 {
      let owner = Owner()
      event.observe(with: owner) { _, _ in }
    }
    #expect(event.diagnostics.count < 100)
  }

  @Test("A hundred thousand handlers, cancelled from either end and in the middle, leave an empty list")
  func many() {
    let event = Event<Int>()
    let count = Recorder<Int>()
    var tokens = (0..<100_000).map { _ in event.observe { count($0) } }
    for index in stride(from: 0, to: tokens.count, by: 2) { tokens[index].cancel() }
    for token in tokens[90_000...].reversed() { token.cancel() }
    event.emit(7)
    #expect(count.values.count == 45_000)
    tokens = []
    #expect(event.diagnostics.count == 0)
  }

  @Test("Adding without end while delivering: a handler that adds another is no cycle")
  func addingWithoutEnd() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let tokens = Locked<[Subscription]>([])
    let first = event.observe { value in
      let added = event.observe { received($0) }
      tokens.withLock { $0.append(added) }
      if value < 100 { event.emit(value + 1) }
    }
    event.emit(1)
    // The one added at 1 receives 2 to 100, the one added at 2 receives 3 to 100, and so on.
    #expect(received.values.count == 99 * 100 / 2)
    tokens.current = []
    #expect(event.diagnostics.count == 1)
    first.cancel()
  }
}
