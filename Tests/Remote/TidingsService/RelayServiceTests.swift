#if Service
import Logging
import ServiceLifecycle
import Testing
import Tidings
import TidingsRemote
import TidingsService
import TidingsTesting

@Suite("A relay as a service", .timeLimit(.minutes(2)))
struct RelayServiceTests {
  private struct Worker: Service {
    func run() async throws { try await gracefulShutdown() }
  }
  private let broker = MemoryBroker()
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test(
    "Shutdown lets the handler under way finish, acknowledges it, stores what was set, and gives the rest to others")
  func shutdown() async throws {
    let relay = Relay(.memory(broker), name: "shop", namespace: "test")
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    let stock = relay.value("stock", initially: 0)
    try await stock.settle()
    let (began, proceed, ended) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    placed.handle(as: "billing") { number in
      began(number)
      _ = await proceed.values(atLeast: 1)
      ended(number)
    }
    for number in 1...3 { try await placed.send(number) }
    let worker = Worker()
    let group = ServiceGroup(services: [worker, RelayService(relay)], logger: logger)
    let running = Task { try await group.run() }
    _ = await began.values(atLeast: 1)
    stock.set(7)
    await group.triggerGracefulShutdown()
    proceed(1)
    try await running.value
    #expect(relay.state.value == .closed)
    #expect(ended.values == began.values)
    #expect(stock.isSettled.value)
    await #expect(throws: TransportError.closed) { try await placed.send(4) }
    let (other, handled) = (Relay(.memory(broker), name: "other", namespace: "test"), Recorder<Int>())
    let rest = other.event("orders.placed", of: Int.self, delivery: .kept)
    rest.handle(as: "billing") { handled($0) }
    let expected = [1, 2, 3].filter { !ended.values.contains($0) }
    try await rest.send(5)
    #expect(await handled.values(atLeast: expected.count + 1) == expected + [5])
    await other.close()
  }

  @Test("A service that is cancelled closes its relay")
  func cancelled() async throws {
    let relay = Relay(.memory(broker), name: "shop", namespace: "test")
    let running = Task { try await RelayService(relay).run() }
    running.cancel()
    try await running.value
    #expect(relay.state.value == .closed)
  }

  @Test("As its documentation shows it")
  func documentation() async throws {
    let (relay, worker) = (Relay(.memory(broker), name: "shop", namespace: "test"), Worker())
    let group = ServiceGroup(services: [worker, RelayService(relay)], logger: logger)
    Task { await group.triggerGracefulShutdown() }
    try await group.run()
    #expect(relay.state.value == .closed)
  }
}
#endif
