#if NATS
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsNATS
import TidingsRemote
import TidingsRemoteTesting
import TidingsTesting

@Suite("NATS", .timeLimit(.minutes(60)))
struct NATSTests {
  private let server: Server
  init() async throws { server = try await Server() }

  @Test("It meets every requirement of a transport", arguments: TransportCheck.all)
  func requirements(_ check: TransportCheck) async throws {
    let prune: @Sendable (Int, String) async throws -> Void = { [server] count, subject in
      let stream = "tidings+" + subject.replacing(".", with: "+")
      try BrokerOperator(server).ask("$JS.API.STREAM.PURGE.\(stream)", #"{"keep":\#(count)}"#)
    }
    try await check(TransportUnderTest(pruning: prune) { [server] in try NATSTransport(server.url) })
  }

  private func relay(_ name: String) throws -> Relay {
    Relay(try NATSTransport(server.url), name: name, namespace: "test")
  }

  @Test("As its documentation shows it: what keeps it from connecting is reported, here that its files are missing")
  func documentation() async throws {
    let transport = try NATSTransport(
      "tls://broker:4222", credentials: .file("shop.creds"), trusting: .certificate("ca.pem"))
    let relay = Relay(transport, name: "billing-2", namespace: "shop")
    let failures = await relay.failures.record().values(atLeast: 1)
    #expect("\(failures[0])".contains("ca.pem"), "\(failures)")
    await relay.close()
  }

  @Test("Names that differ only in what the broker does not allow are different events")
  func names() async throws {
    let (shop, billing) = (try relay("shop"), try relay("billing"))
    let names = ["a b", "a_b", "a=20b", "a.b", "a..b", "*", ">", "ä"]
    let events = names.map { (shop.event($0, of: String.self), billing.event($0, of: String.self)) }
    let recordings = events.map { $0.1.record() }
    let pace = Pace(billing)
    for ((here, _), (name, recording)) in zip(events, zip(names, recordings)) {
      try await pace.emitting(until: !recording.values.isEmpty) { here.emit(name, isolation: nil) }
    }
    await shop.close()
    await billing.close()
    for (name, recording) in zip(names, recordings) { #expect(Set(recording.values) == [name]) }
    withExtendedLifetime(events) {}
  }

  @Test("Versions travel with a payload: an older one is upgraded, a newer one reported")
  func versions() async throws {
    let (shop, billing) = (try relay("shop"), try relay("billing"))
    let old = shop.event("a", of: Double.self, schema: .json("price"))
    let newer = shop.event("a", of: Int.self, schema: .json("price", version: 3))
    let upgrading = Schema<String>.json(
      "price", version: 2, reading: [1: { "upgraded \(try JSONDecoder().decode(Double.self, from: $0))" }])
    let here = billing.event("a", of: String.self, schema: upgrading)
    let (received, failures) = (here.record(), billing.failures.record())
    try await Pace(billing).emitting(until: !received.values.isEmpty) { old.emit(7, isolation: nil) }
    #expect(received.values[0] == "upgraded 7.0")
    newer.emit(1)
    let reports = await failures.values(atLeast: 1)
    guard case .unreadable("test.a", _, let reason) = reports[0] else {
      Issue.record("\(reports)")
      return
    }
    #expect(reason.contains("version 3"))
    await shop.close()
    await billing.close()
  }

  @Test("Two processes that drive each other in a cycle are stopped after 16 hops, with a report")
  func cycle() async throws {
    let (shop, billing) = (try relay("shop"), try relay("billing"))
    let (here, there) = (shop.event("a", of: Int.self), billing.event("b", of: Int.self))
    let (answers, asks) = (shop.event("b", of: Int.self), billing.event("a", of: Int.self))
    let failures = [shop.failures.record(), billing.failures.record()]
    let tokens = [
      asks.observe { there.emit($0 + 1, isolation: nil) }, answers.observe { here.emit($0 + 1, isolation: nil) },
    ]
    func hops() -> Int? {
      for case .cycle(_, let hops) in failures.flatMap(\.values) { return hops }
      return nil
    }
    try await Pace(billing).emitting(until: hops() != nil) { here.emit(0, isolation: nil) }
    #expect(hops() == 17)
    withExtendedLifetime(tokens) {}
    await shop.close()
    await billing.close()
  }

  @Test("Requests are answered in time while events arrive faster than they are decoded")
  func flood() async throws {
    let (shop, billing) = (
      try NATSTransport(server.url), try NATSTransport(server.url, timeout: .seconds(1))
    )
    for transport in [shop, billing] { transport.open { _ in } }
    let received = Recorder<UInt64>()
    let token = try billing.subscribe(to: "test.flood", kept: false) {
      for event in $0 { received(event.number) }
      return .more
    }
    func message(_ subject: String, _ number: UInt64, id: String) -> RemoteMessage {
      RemoteMessage(subject: subject, id: id, origin: "shop", number: number, schema: "", version: 0, body: Data())
    }
    // Escaped, such an id takes long to decode: all of them much longer than a request may.
    let id = String(repeating: "ä", count: 40_000)
    while received.values.isEmpty {
      try await shop.publish([message("test.flood", 0, id: id)])
      try await billing.store([message("test.kept", 0, id: "0")])
    }
    try await shop.publish((1...100).map { message("test.flood", $0, id: id) })
    for number in 1...10 { try await billing.store([message("test.kept", UInt64(number), id: "\(number)")]) }
    #expect(received.values.last ?? 0 < 100, "decoded before the requests were answered: the events are too few")
    withExtendedLifetime(token) {}
    await shop.close()
    await billing.close()
  }

  @Test("Messages are stored in their order while another process is making their stream")
  func making() async throws {
    let (first, second) = (try NATSTransport(server.url), try NATSTransport(server.url))
    for transport in [first, second] { transport.open { _ in } }
    for number in 0..<50 {
      let subject = "test.made.\(number)"
      let claiming = Task { try await first.claim(1, of: subject, as: "billing") }
      let messages = (0..<200).map {
        RemoteMessage(
          subject: subject, id: "\($0)", origin: "shop", number: 1, schema: "", version: 0, body: Data())
      }
      try await second.store(messages)
      var claimed = try await claiming.value
      while claimed.count < messages.count {
        claimed += try await first.claim(messages.count - claimed.count, of: subject, as: "billing")
      }
      #expect(claimed.map(\.message.id) == messages.map(\.id))
    }
    await first.close()
    await second.close()
  }

  @Test("A value and a consumer's place survive a restart of the broker's process")
  func survives() async throws {
    let first = try relay("shop")
    let (volume, placed) = (
      first.value("volume", initially: 5), first.event("orders.placed", of: Int.self, delivery: .kept)
    )
    volume.set(11)
    try await volume.settle()
    let handled = Recorder<Int>()
    placed.handle(as: "billing") { handled($0) }
    try await placed.send(1)
    _ = await handled.values(atLeast: 1)
    await first.close()
    try await server.restart()
    let second = try relay("shop")
    let again = second.value("volume", initially: 5)
    try await again.settle()
    #expect(again.value == 11)
    let orders = second.event("orders.placed", of: Int.self, delivery: .kept)
    orders.handle(as: "billing") { handled($0) }
    try await orders.send(2)
    #expect(await handled.values(atLeast: 2) == [1, 2])
    await second.close()
  }
}
#endif
