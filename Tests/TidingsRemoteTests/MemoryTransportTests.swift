import Testing
import TidingsRemote
import TidingsRemoteTesting

@Suite("The memory transport")
struct MemoryTransportTests {
  @Test("It meets every requirement of a transport", .timeLimit(.minutes(2)), arguments: TransportCheck.all)
  func requirements(_ check: TransportCheck) async throws {
    let broker = MemoryBroker()
    let transport = TransportUnderTest { MemoryTransport.memory(broker) }
    try await check(transport)
  }
}
