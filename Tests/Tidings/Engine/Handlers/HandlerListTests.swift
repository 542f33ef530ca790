import Testing
import Tidings
import TidingsTesting

/// Behavior that shows only when the list of handlers changes its shape during a walk.
@Suite("The list of handlers, changed in mid-emit")
struct HandlerListTests {
  @Test(
    "A handler cancelled or paused after the list has grown is not called by the walk that is under way",
    arguments: [DeliveryPolicy.serial, .immediate], [true, false])
  func stoppedAfterGrowth(policy: DeliveryPolicy, pauses: Bool) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<String>())
    let (newcomers, later) = (Locked<[Subscription]>([]), Locked<Subscription?>(nil))
    let first = event.observe { value in
      guard value == 1 else { return }
      for _ in 0..<40 { newcomers.current.append(event.observe { _ in received("newcomer \(value)") }) }
      if pauses { later.current?.pause() } else { later.current?.cancel() }
    }
    later.current = event.observe { received("later \($0)") }
    let last = event.observe { received("last \($0)") }
    event.emit(1)
    #expect(received.values == ["last 1"])
    newcomers.current = []
    later.current?.resume()
    event.emit(2)
    #expect(received.values == (pauses ? ["last 1", "later 2", "last 2"] : ["last 1", "last 2"]))
    withExtendedLifetime((first, last)) {}
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
    let (event, canaries, seen) = (Event<Int>(), Canaries(), Recorder<Int>())
    let own = Locked<Subscription?>(nil)
    own.current = event.observe { [canary = canaries.make()] _ in
      own.current?.cancel()
      canary.touch()
    }
    let next = event.observe { _ in seen(canaries.alive) }
    #expect(canaries.alive == 1)
    event.emit(1)
    #expect(seen.values == [0])
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

  @Test("Ten thousand handlers, cancelled from either end and in the middle, keep their order and leave an empty list")
  func many() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    var tokens = (0..<10_000).map { number in event.observe { _ in received(number) } }
    for index in stride(from: 0, to: tokens.count, by: 2) { tokens[index].cancel() }
    for token in tokens[9_000...].reversed() { token.cancel() }
    for index in 0..<4_000 { tokens[index].cancel() }
    tokens += (10_000..<10_100).map { number in event.observe { _ in received(number) } }
    event.emit(7)
    #expect(received.values == Array(stride(from: 4_001, to: 9_000, by: 2)) + Array(10_000..<10_100))
    tokens = []
    #expect(event.diagnostics.count == 0)
  }
}
