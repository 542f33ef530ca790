import Testing
import Tidings
import TidingsTesting

@Suite("1. Handlers are called in the order in which they were added.", .serialized)
struct OrderOfHandlersTests {
  /// Whatever verb adds a handler, its place is the same.
  @Test("every way of adding", arguments: [DeliveryPolicy.serial, .immediate])
  func everyWayOfAdding(_ policy: DeliveryPolicy) {
    let (event, received, owner) = (Event<Int>(policy: policy), Recorder<String>(), Owner())
    var tokens: Set<Subscription> = []
    event.observe { received("plain\($0)") }.store(in: &tokens)
    event.observe(with: owner) { received("owned\($1)") }
    event.once { received("once\($0)") }
    event.observe(onError: { (_: Oops) in }, { value throws(Oops) in received("failing\(value)") }).store(in: &tokens)
    event.map { "mapped\($0)" }.observe { received($0) }.store(in: &tokens)
    event.observe { received("last\($0)") }.store(in: &tokens)
    event.emit(1)
    event.emit(2)
    #expect(
      received.values == [
        "plain1", "owned1", "once1", "failing1", "mapped1", "last1", "plain2", "owned2", "failing2", "mapped2", "last2",
      ])
    withExtendedLifetime(owner) {}
  }
}

@Suite(
  """
  2. Under `.serial` all handlers of one event receive the same values in the same order, whichever code emits on \
  whichever thread, also when a handler emits.
  """, .serialized)
struct OrderOfValuesTests {
  /// Four threads emit, two handlers emit as well, and handlers of every kind compare what they received.
  @Test("many emitters")
  func manyEmitters() async {
    for _ in 0..<20 { await manyEmittersOnce() }
  }

  private func manyEmittersOnce() async {
    let event = Event<Int>()
    let recorders = (0..<5).map { _ in Recorder<Int>() }
    let (actor, owner) = (Listener(), Owner())
    var tokens: Set<Subscription> = []
    event.observe { recorders[0]($0) }.store(in: &tokens)
    event.observe { if $0 % 5 == 0, $0 < 10_000 { event.emit($0 + 10_001) } }.store(in: &tokens)
    event.observe(with: owner) { recorders[1]($1) }
    event.observe(with: actor) { _, value in recorders[2](value) }
    event.observe { if $0 % 7 == 0, $0 < 10_000 { event.emit($0 + 20_001) } }.store(in: &tokens)
    event.map { $0 }.observe { recorders[3]($0) }.store(in: &tokens)
    event.observe { recorders[4]($0) }.store(in: &tokens)
    await Threads.together(4) { thread in for value in 0..<50 { event.emit(thread * 50 + value) } }
    await event.emitAndWait(1_000_001)
    let received = recorders.map(\.values)
    // Every fifth and every seventh of 200 made a handler emit, and one more came at the end.
    #expect(received[0].count == 270)
    for other in received.dropFirst() { #expect(other == received[0]) }
    for thread in 0..<4 {
      let own = received[0].filter { $0 < 10_000 && $0 / 50 == thread }
      #expect(own == own.sorted(), "what one thread emits stays in its order")
    }
    withExtendedLifetime(owner) {}
  }
}

@Suite(
  """
  3. A handler receives every value emitted after it was added and none emitted before, also when the earlier one \
  is still being delivered. `.initial` delivers the value of that moment.
  """, .serialized)
struct FirstValueTests {
  /// One thread counts up, the other adds in between: it receives all that came after, none that came before.
  @Test("added among emits", arguments: [DeliveryPolicy.serial, .immediate])
  func addedAmongEmits(_ policy: DeliveryPolicy) {
    for _ in 0..<100 { addedAmongEmitsOnce(policy) }
  }

  private func addedAmongEmitsOnce(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let (begun, returned) = (Locked(0), Locked(0))
    let token = Locked<Subscription?>(nil)
    let bounds = Locked((before: 0, after: 0))
    Threads.together(2) { thread in
      if thread == 0 {
        for value in 1...60 {
          begun.withLock { $0 = value }
          event.emit(value)
          returned.withLock { $0 = value }
        }
      } else {
        let before = returned.current
        let added = event.observe { received($0) }
        let after = begun.current
        token.withLock { $0 = added }
        bounds.withLock { $0 = (before, after) }
      }
    }
    let (before, after) = bounds.current
    let values = received.values
    #expect(values.allSatisfy { $0 > before }, "it received \(values) but \(before) had been emitted before")
    #expect(values == Array((values.first ?? 61)..<61), "it missed one in between")
    #expect((values.first ?? 61) <= after + 1, "it missed what was emitted after")
    withExtendedLifetime(token) {}
  }

  /// A thread that emits and then adds has emitted before, also when it left the value for another thread to deliver.
  @Test("added after an emit that others deliver", arguments: [DeliveryPolicy.serial, .immediate])
  func addedAfterAnEmitThatOthersDeliver(_ policy: DeliveryPolicy) {
    for _ in 0..<Runs.size(5, full: 30) { addedAfterAnEmitThatOthersDeliverOnce(policy) }
  }

  private func addedAfterAnEmitThatOthersDeliverOnce(_ policy: DeliveryPolicy) {
    let (event, early) = (Event<Int>(policy: policy), Locked<[Int]>([]))
    Threads.together(2) { thread in
      for round in 1...2_000 {
        let value = thread * 10_000 + round
        event.emit(value)
        let token = event.observe { received in
          if received / 10_000 == thread, received <= value { early.withLock { $0.append(received) } }
        }
        event.emit(1_000_000)
        token.cancel()
      }
    }
    #expect(early.current == [], "received by handlers that were added after their emit had returned")
  }
}
