#if NATS
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsNATS
import TidingsRemote
import TidingsTesting

@Suite("The identity of a NATS relay, and its servers", .timeLimit(.minutes(60)), .serialized)
struct NATSIdentityTests {
  private func isConnected(_ relay: Relay) -> Bool { if case .connected = relay.state.value { true } else { false } }

  @Test("A credentials file (JWT and NKey) connects; without it, and with another operator's, it is reported")
  func credentials() async throws {
    let (folder, others) = (try Folder(), try Folder())
    let (keys, strange) = (try await NKeys(folder.path), try await NKeys(others.path))
    let server = try await Server(keys.settings, streams: false)
    for credentials in [NATSCredentials.none, .file(strange.file)] {
      let wrong = Relay(try NATSTransport(server.url, credentials: credentials), name: "wrong", namespace: "test")
      let failures = await wrong.failures.record().values(atLeast: 1)
      #expect("\(failures[0])".contains("uthoriz"), "\(failures)")
      await wrong.close()
    }
    let shop = Relay(try NATSTransport(server.url, credentials: .file(keys.file)), name: "shop", namespace: "test")
    let billing = Relay(
      try NATSTransport(server.url, credentials: .file(keys.file)), name: "billing", namespace: "test")
    let (here, there) = (shop.event("a", of: Int.self), billing.event("a", of: Int.self))
    let received = there.record()
    let arrived = await eventually {
      here.emit(7)
      return !received.values.isEmpty
    }
    #expect(arrived)
    withExtendedLifetime(there) {}
    await shop.close()
    await billing.close()
  }

  @Test("A broker that asks for a client certificate is given it; without one the rejection is reported")
  func clientCertificates() async throws {
    let server = try await Server(
      #"tls { cert_file: "%/server.pem", key_file: "%/server.key", ca_file: "%/ca.pem", verify: true }"#, tls: true)
    let (url, path) = (server.url.replacing("nats:", with: "tls:"), server.folder.path)
    let bare = Relay(
      try NATSTransport(url, trusting: .certificate(path + "/ca.pem")), name: "bare", namespace: "test")
    let failures = await bare.failures.record().values(atLeast: 1)
    #expect(!isConnected(bare), "\(failures)")
    print("without a client certificate: \(failures[0])")
    await bare.close()
    let trust = NATSTrust.certificate(path + "/ca.pem", identity: (path + "/client.pem", path + "/client.key"))
    let shop = Relay(try NATSTransport(url, trusting: trust), name: "shop", namespace: "test")
    try await shop.event("orders.placed", of: Int.self, delivery: .kept).send(1)
    await shop.close()
  }

  @Test("When its server is killed a relay continues at another of the cluster; three replicas lose nothing")
  func cluster() async throws {
    let first = try await Server(cluster: .first)
    let servers = [
      first, try await Server(cluster: .joining(first)), try await Server(cluster: .joining(first)),
    ]
    func transport(_ order: [Int]) throws -> NATSTransport {
      try NATSTransport(
        order.map { servers[$0].url }.joined(separator: ","),
        storage: NATSStorage(replicas: 3, claimTimeout: .seconds(2)), timeout: .seconds(2))
    }
    let (shop, billing) = (
      Relay(try transport([0, 1, 2]), name: "shop", namespace: "test"),
      Relay(try transport([1, 2, 0]), name: "billing", namespace: "test")
    )
    let (placed, handled) = (shop.event("orders.placed", of: Int.self, delivery: .kept), Recorder<Int>())
    billing.event("orders.placed", of: Int.self, delivery: .kept).handle(as: "billing") { handled($0) }
    let arrived = await eventually { isConnected(shop) }
    #expect(arrived)
    for number in 1...100 { try await placed.send(number, id: "\(number)") }
    _ = await handled.values(atLeast: 100)
    let killed = servers.first { "\(shop.state.value)".contains($0.url.replacing("nats://", with: "")) }
    #expect(killed != nil, "\(shop.state.value)")
    await killed?.kill()
    for number in 101...200 { try await placed.send(number, id: "\(number)") }
    _ = await eventually { Set(handled.values).count == 200 }
    #expect(Set(handled.values) == Set(1...200))
    print("cluster: 200 sent, \(handled.values.count) handled, then at \(shop.state.value)")
    await shop.close()
    await billing.close()
  }
}
#endif
