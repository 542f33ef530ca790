import Foundation
import TidingsRemote
import TidingsTesting

/// A transport that is away: each call that sends is counted, waits for its gate, and fails.
struct AwayTransport: RemoteTransport {
  let published = Recorder<Int>()
  let gate = Latch()

  func open(_ report: @escaping @Sendable (TransportReport) -> Void) {}
  func publish(_ messages: [RemoteMessage]) async throws {
    published(messages.count)
    await gate.wait()
    throw TransportError.unavailable("away")
  }
  func subscribe(
    to subject: String, kept: Bool, _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription { TransportSubscription {} }
  func store(_ messages: [RemoteMessage]) async throws { throw TransportError.unavailable("away") }
  func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage] {
    throw TransportError.unavailable("away")
  }
  func settle(
    _ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String
  ) async throws {}
  func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage] { [] }
  func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws {}
  func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer {
    throw TransportError.unavailable("away")
  }
  func watch(
    _ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void
  ) throws -> TransportSubscription { TransportSubscription {} }
  func close() async {}
}
