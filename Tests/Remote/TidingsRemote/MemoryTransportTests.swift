import Testing
import TidingsRemote
import TidingsRemoteTesting

@Suite("The memory transport", .timeLimit(.minutes(60)))
struct MemoryTransportTests {
  private let transport: TransportUnderTest
  init() {
    let broker = MemoryBroker()
    let prune: @Sendable (Int, String) async throws -> Void = { count, _ in broker.prune(keeping: count) }
    let transport = TransportUnderTest(pruning: prune) { MemoryTransport.memory(broker) }
    self.transport = transport
  }

  @Test("The memory transport is a transport", arguments: TransportCheck.all)
  func check(_ check: TransportCheck) async throws { try await check(transport) }

  @Test("One check by itself")
  func one() async throws {
    let broker = MemoryBroker()
    let transport = TransportUnderTest { MemoryTransport.memory(broker) }
    let check = TransportCheck.all[0]
    try await check(transport)
  }
}
