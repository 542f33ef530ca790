import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@Suite("A relay", .timeLimit(.minutes(60)))
struct RelayTests {
  @Test("Its state says whether the broker can be reached, and that it is closed")
  func state() async {
    let broker = MemoryBroker()
    let relay = Relay(.memory(broker), name: "shop", namespace: "test")
    let connected = await eventually { relay.state.value == .connected("memory") }
    #expect(connected)
    broker.isReachable = false
    let away = await eventually { relay.state.value == .reconnecting(attempt: 1) }
    #expect(away)
    broker.isReachable = true
    let back = await eventually { relay.state.value == .connected("memory") }
    #expect(back)
    await relay.close()
    #expect(relay.state.value == .closed)
  }

  @Test("close sends what was emitted, stores what was sent and settles what was set")
  func flushes() async throws {
    let relays = TwoRelays()
    let (emitted, set) = (relays.shop.event("a", of: Int.self), relays.shop.value("b", initially: 0))
    let there = relays.billing.event("a", of: Int.self)
    let far = there.record()
    for number in 1...1_000 { emitted.emit(number) }
    try await set.settle()
    set.set(7)
    await relays.shop.close()
    #expect(await far.values(atLeast: 1_000).count == 1_000)
    #expect(set.isSettled.value)
    withExtendedLifetime(there) {}
    await relays.close()
  }

  @Test("After close nothing is accepted, and each call reports it")
  func rejectsAfterClose() async throws {
    let relays = TwoRelays()
    let relay = relays.shop
    let (event, kept) = (relay.event("a", of: Int.self), relay.event("b", of: Int.self, delivery: .kept))
    let failures = relay.failures.record()
    await relay.close()
    await #expect(throws: TransportError.closed) { try await kept.send(1) }
    let near = event.record()
    event.emit(1)
    #expect(near.values == [1])
    let value = relay.value("c", initially: 0)
    await #expect(throws: TransportError.closed) {
      value.set(1)
      try await value.settle()
    }
    _ = failures
    await relays.close()
  }
}
