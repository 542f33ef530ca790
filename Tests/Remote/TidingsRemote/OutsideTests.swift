import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRemote

@Suite("What comes from outside", .timeLimit(.minutes(60)))
struct OutsideTests {
  private static func message(_ number: UInt64 = 1, hops: Int = 0, origin: String = "o", body: String = "7")
    -> RemoteMessage
  {
    RemoteMessage(
      subject: "test.a", id: "\(number)-\(hops)", origin: origin, number: number, hops: hops, schema: "Int", version: 1,
      body: Data(body.utf8))
  }

  @Test("Messages with numbers that no relay sends are reported, and the one after them is received")
  func bounds() async throws {
    let (broker, strange) = (MemoryBroker(), MemoryTransport.memory(MemoryBroker()))
    let (relay, other) = (Relay(.memory(broker), name: "a", namespace: "test"), MemoryTransport.memory(broker))
    let (event, kept) = (relay.event("a", of: Int.self), relay.event("a", of: Int.self, delivery: .kept))
    let (seen, observed, handled) = (event.record(), kept.record(), Recorder<Int>())
    let failures = relay.failures.record()
    kept.handle(as: "billing") { handled($0) }
    let bad = [
      Self.message(hops: .max), Self.message(hops: -1), Self.message(hops: .min), Self.message(.max),
      Self.message(1 << 60, origin: "p"), Self.message(2, origin: String(repeating: "x", count: 10_000)),
    ]
    // Two origins whose gaps sum up.
    let gaps = ["q", "r"].flatMap { [Self.message(1, origin: $0), Self.message(1 << 48, origin: $0)] }
    try await other.publish(bad + gaps + [Self.message(body: "8")])
    try await other.store(
      bad.enumerated().map { index, message in
        var message = message
        message.id = "\(index)"
        return message
      } + [Self.message(body: "8")])
    #expect(await eventually { seen.values.last == 8 && observed.values == [8] && handled.values == [8] })
    #expect(await eventually { failures.values.contains { "\($0)".contains("not a message of a relay") } })
    #expect(try await kept.deadLetters(of: "billing").count == bad.count)
    await relay.close()
    withExtendedLifetime(strange) {}
  }

  @Test("A message that every process would reject is not sent")
  func rejected() async throws {
    let relay = Relay(.memory(), name: "a", namespace: "test")
    let kept = relay.event("a", of: Int.self, delivery: .kept)
    await #expect(throws: TransportError.self) { try await kept.send(1, id: String(repeating: "x", count: 4_097)) }
    try await kept.send(2, id: String(repeating: "x", count: 4_096))
    await relay.close()
  }

  @Test("Names and texts of others are reported in one line without control characters")
  func printable() async throws {
    let relay = Relay(.memory(), name: "a", namespace: "test")
    let failures = relay.failures.record()
    let placed = relay.event("a\u{1B}[31m", of: Int.self, delivery: .kept(attempts: 1))
    let text = "no\nTidings: relay: \r\u{07}\u{9B}\u{202E}\u{2028}paper"
    placed.handle(as: "billing") { _ in throw Named(description: text) }
    try await placed.send(1, id: "id\n\u{1B}]0;title\u{07}")
    let report = "\(await failures.values(atLeast: 1)[0])"
    #expect(report.contains("paper") && report.contains(#"\u{1B}[31m"#) && report.contains(#"\u{202E}"#))
    #expect(report.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(!report.contains("\u{202E}") && !report.contains("\u{2028}"))
    await relay.close()
  }
  private struct Named: Error, CustomStringConvertible { let description: String }

  @Test("A cause is reported once a minute with a count, and losses with their sum")
  func limits() {
    var limiter = ReportLimiter()
    let start = ContinuousClock.now
    let lagging = RelayFailure.lagging(subject: "a", count: 5)
    #expect(limiter.take(lagging, at: start) == lagging)
    for second in 1..<60 {
      let now = start + .seconds(second)
      #expect(limiter.due(at: now) == [])
      #expect(limiter.take(.lagging(subject: "a", count: second), at: now) == nil)
    }
    #expect(limiter.next == start + .seconds(60))
    #expect(limiter.due(at: start + .seconds(60)) == [.repeated(.lagging(subject: "a", count: 59), count: 59)])
    #expect(limiter.due(at: start + .seconds(120)) == [])
    #expect(limiter.take(lagging, at: start + .seconds(121)) == lagging)
    // Unreadable messages of one cause have different ids.
    #expect(limiter.take(.unreadable(subject: "a", id: "1", reason: "new"), at: start) != nil)
    #expect(limiter.take(.unreadable(subject: "a", id: "2", reason: "new"), at: start) == nil)
    #expect(limiter.take(.unreadable(subject: "a", id: "2", reason: "other"), at: start) != nil)
    #expect(limiter.take(.missed(subject: "b", count: 1), at: start) != nil)
    #expect(limiter.take(.missed(subject: "b", count: .max), at: start) == nil)
    #expect(limiter.take(.missed(subject: "b", count: 3), at: start) == nil)
    #expect(limiter.due(at: start + .seconds(1)).contains(.missed(subject: "b", count: .max)))
    #expect(limiter.take(.missed(subject: "b", count: 2), at: start + .seconds(2)) == nil)
    #expect(limiter.remaining().contains(.missed(subject: "b", count: 2)))
  }

  @Test("A relay that closes reports what it has counted")
  func counted() async throws {
    let broker = MemoryBroker()
    let (relay, other) = (Relay(.memory(broker), name: "a", namespace: "test"), MemoryTransport.memory(broker))
    let (event, failures) = (relay.event("a", of: Int.self), relay.failures.record())
    let seen = event.record()
    try await other.publish((1...50).map { Self.message(UInt64($0), body: "no number") } + [Self.message(51)])
    _ = await seen.values(atLeast: 1)
    await relay.close()
    #expect(failures.values.count == 2)
    guard case .repeated(.unreadable, 49)? = failures.values.last else {
      Issue.record("\(failures.values)")
      return
    }
  }

  @Test("A number of attempts, a delay, a batch and a buffer of any size trap nowhere")
  func arguments() async throws {
    for extreme in [Int.min, -1, 0, .max] {
      let relay = Relay(.memory(), name: "a", namespace: "test", buffering: extreme)
      let delivery = KeptDelivery.kept(attempts: extreme, retryDelay: .seconds(Int64(extreme)), batch: extreme)
      let (event, kept) = (relay.event("a", of: Int.self), relay.event("b", of: Int.self, delivery: delivery))
      let (seen, handled) = (event.record(), Recorder<Int>())
      kept.handle(as: "billing") {
        handled($0)
        throw CancellationError()
      }
      event.emit(1)
      try await kept.send(1)
      _ = await handled.values(atLeast: 1)
      await relay.close()
      withExtendedLifetime(seen) {}
    }
  }
}
