#if NATS
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsNATS
import TidingsRemote
import TidingsTesting

@Suite("NATS under faults", .timeLimit(.minutes(60)), .serialized)
struct NATSFaultTests {
  private func relay(
    _ server: Server, _ name: String = "shop", _ url: String? = nil, _ credentials: NATSCredentials = .none,
    trusting trust: NATSTrust = .system, buffering limit: Int = 65_536
  ) throws -> Relay {
    let transport = try NATSTransport(
      url ?? server.url, credentials: credentials, trusting: trust, storage: NATSStorage(claimTimeout: .seconds(2)))
    return Relay(transport, name: name, namespace: "test", buffering: limit)
  }
  private func isConnected(_ relay: Relay) -> Bool { if case .connected = relay.state.value { true } else { false } }

  // MARK: Permissions
  @Test("A wrong password is reported as such; the right one, and a token, connect")
  func passwords() async throws {
    let server = try await Server(#"authorization { user: shop, password: "right" }"#)
    let wrong = try relay(server, "wrong", nil, .user("shop", password: "wrong"))
    let failures = await wrong.failures.record().values(atLeast: 1)
    #expect("\(failures[0])".contains("uthoriz"), "\(failures)")
    #expect(!isConnected(wrong))
    await wrong.close()
    let right = try relay(server, "right", nil, .user("shop", password: "right"))
    let arrived = await eventually { isConnected(right) }
    #expect(arrived)
    await right.close()
    for password in ["right", "wrong"] {
      let address = server.url.replacing("nats://", with: "nats://shop:\(password)@")
      let shown = try relay(server, "shown", address)
      let (failures, state) = (shown.failures.record(), shown.state)
      let isShown = await eventually {
        if case .connected = state.value { true } else { !failures.values.isEmpty }
      }
      #expect(isShown && isConnected(shown) == (password == "right"))
      #expect(!"\(state.value) \(failures.values)".contains(password))
      await shown.close()
    }
    let tokens = try await Server(#"authorization { token: "s3cret" }"#)
    let bearer = try relay(tokens, "bearer", nil, .token("s3cret"))
    let connected = await eventually { isConnected(bearer) }
    #expect(connected)
    await bearer.close()
  }

  @Test(
    "A certificate of an authority that is not trusted is reported as such; with the right one events are sent over TLS"
  )
  func certificates() async throws {
    let server = try await Server(
      #"tls { cert_file: "%/server.pem", key_file: "%/server.key" }"#, tls: true)
    let url = server.url.replacing("nats:", with: "tls:")
    for trust in [NATSTrust.certificate(server.folder.path + "/other.pem"), .system] {
      let wrong = try relay(server, "wrong", url, trusting: trust)
      let failures = await wrong.failures.record().values(atLeast: 1)
      #expect("\(failures[0])".contains("SSL") || "\(failures[0])".contains("certificate"), "\(failures)")
      await wrong.close()
    }
    let right = try relay(server, "right", url, trusting: .certificate(server.folder.path + "/ca.pem"))
    let placed = right.event("orders.placed", of: Int.self, delivery: .kept)
    try await placed.send(1)
    await right.close()
  }

  @Test("A subject that the broker forbids is reported by its name, to what emits, observes and sends")
  func forbidden() async throws {
    let server = try await Server(
      """
      authorization { users: [ { user: shop, password: "right", permissions: {
        publish: { deny: ["test.secret.>"] }, subscribe: { deny: ["test.secret.>"] } } } ] }
      """)
    let shop = try relay(server, "shop", nil, .user("shop", password: "right"))
    let failures = shop.failures.record()
    let emitted = shop.event("secret.a b", of: Int.self)
    emitted.emit(1)
    var reports = await failures.values(atLeast: 1)
    #expect(reports == [.denied(subject: "test.secret.a b")])
    let token = emitted.observe { _ in }
    reports = await failures.values(atLeast: 2)
    #expect(reports.last == .denied(subject: "test.secret.a b"))
    let kept = shop.event("secret.orders", of: Int.self, delivery: .kept)
    await #expect(throws: TransportError.denied(subject: "test.secret.orders")) { try await kept.send(1) }
    withExtendedLifetime(token) {}
    await shop.close()
  }

  // MARK: What is lost
  @Test("Each message emitted while the broker is away is received or counted as missed, and some are missed")
  func lost() async throws {
    let server = try await Server()
    let (shop, billing) = (try relay(server, "shop"), try relay(server, "billing"))
    let (here, there) = (shop.event("a", of: Int.self), billing.event("a", of: Int.self))
    let (received, dropped, missed) = (there.record(), shop.failures.record(), billing.failures.record())
    var number = 0
    let pace = Pace(billing)
    func emitUntil(_ count: Int) async throws {
      try await pace.emitting(until: received.values.count >= count) {
        number += 1
        here.emit(number, isolation: nil)
      }
    }
    func given() -> Int {
      dropped.values.reduce(0) { sum, failure in
        if case .dropped(_, let count, _) = failure { sum + count } else { sum }
      }
    }
    try await emitUntil(100)
    // Drops from before the connection was made may be reported only now.
    let earlier = max(given(), received.values[0] - 1)
    await server.kill()
    for _ in 0..<1_000 {
      number += 1
      here.emit(number)
    }
    // It stays away until the sender has given up.
    let isGiven = await eventually { given() > earlier }
    #expect(isGiven)
    try await server.start()
    let before = received.values.count
    try await emitUntil(before + 100)
    let last = number
    _ = await eventually { received.values.last == last }
    func missing() -> Int {
      missed.values.reduce(0) { sum, failure in if case .missed(_, let count) = failure { sum + count } else { sum } }
    }
    // Values emitted before the subscription took effect are not missing.
    let sent = last - received.values[0] + 1
    let accounted = await eventually { received.values.count + missing() == sent }
    #expect(accounted, "\(received.values.count) received, \(missing()) missed of \(sent)")
    #expect(missing() > 0)
    #expect(received.values == received.values.sorted())
    print("events over a kill of the broker: \(sent) emitted, \(missing()) lost and reported, \(given()) by the sender")
    withExtendedLifetime(there) {}
    await shop.close()
    await billing.close()
  }

  @Test("A sender that emits faster than the broker takes it loses the oldest, each of them reported")
  func tooFast() async throws {
    let server = try await Server()
    let (shop, billing) = (try relay(server, "shop", buffering: 100), try relay(server, "billing"))
    let (here, there) = (shop.event("a", of: Int.self), billing.event("a", of: Int.self))
    let (received, failures) = (there.record(), shop.failures.record())
    try await Pace(billing).emitting(until: !received.values.isEmpty) { here.emit(0, isolation: nil) }
    for number in 1...20_000 { here.emit(number) }
    await shop.close()
    let first = await eventually { received.values.last == 20_000 }
    #expect(first)
    let dropped = failures.values.reduce(0) { sum, failure in
      if case .dropped(_, let count, _) = failure { sum + count } else { sum }
    }
    #expect(dropped > 0)
    #expect(received.values.filter { $0 > 0 }.count + dropped >= 20_000)
    withExtendedLifetime(there) {}
    await billing.close()
  }

  @Test("A relay whose broker is away closes within five seconds, however many of its messages wait to be stored")
  func closesWhileAway() async throws {
    let server = try await Server()
    let shop = try relay(server)
    let placed = shop.event("orders.placed", of: Int.self, delivery: .kept)
    try await placed.send(0)
    let failures = shop.failures.record()
    await server.kill()
    let sending = (1...100).map { number in Task { try await placed.send(number) } }
    // The first of them is being sent, and the others wait.
    let isWaiting = await eventually { failures.values.contains { "\($0)".contains("not connected") } }
    #expect(isWaiting)
    let began = ContinuousClock.now
    await shop.close()
    let time = ContinuousClock.now - began
    #expect(time < .seconds(5), "\(time)")
    for sending in sending { await #expect(throws: TransportError.self) { try await sending.value } }
  }

  @Test("A broker that closes each connection that is made is asked after longer and longer pauses, and reported once")
  func closing() async throws {
    let broker = try ClosingBroker()
    let shop = Relay(try NATSTransport(broker.url), name: "shop", namespace: "test")
    let failures = shop.failures.record()
    let accepted = await broker.accepted.values(atLeast: 6)
    // 40, 80, 160, 320 and 640 ms.
    #expect(accepted[5] - accepted[0] > .seconds(1), "\(accepted.map { $0 - accepted[0] })")
    await shop.close()
    #expect(Set(failures.values.map { "\($0)" }).count < 5, "\(failures.values)")
    #expect(!failures.values.contains { "\($0)".contains("_INBOX") }, "\(failures.values)")
  }

  @Test("The state follows a broker that is killed and comes back, and a message too large is rejected alone")
  func reconnects() async throws {
    let server = try await Server("max_payload: 10000")
    let shop = try relay(server)
    let arrived = await eventually { isConnected(shop) }
    #expect(arrived)
    await server.kill()
    let away = await eventually { if case .reconnecting = shop.state.value { true } else { false } }
    #expect(away)
    try await server.start()
    let back = await eventually { isConnected(shop) }
    #expect(back)
    let placed = shop.event("orders.placed", of: String.self, delivery: .kept)
    let sending = Task { try await placed.send(String(repeating: "x", count: 20_000)) }
    try await placed.send("small")
    await #expect(throws: TransportError.self) { try await sending.value }
    await shop.close()
  }
}
#endif
