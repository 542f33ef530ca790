import Foundation
import Synchronization
import TidingsRemote
import TidingsTesting

/// A transport that sends on the calling thread as often as not, and remembers the order in which it was given messages, and
/// whether it was given one while another was being sent.
final class ImmediateTransport: RemoteTransport {
  let sent = Recorder<RemoteMessage>()
  let immediate = Atomic(0)
  let overlapping = Atomic(0)
  private let calls = Atomic(0)
  private let underWay = Atomic(0)

  private func enter() {
    if underWay.add(1, ordering: .sequentiallyConsistent).oldValue > 0 { overlapping.add(1, ordering: .relaxed) }
  }
  private func leave() { underWay.subtract(1, ordering: .sequentiallyConsistent) }

  func open(_ report: @escaping @Sendable (TransportReport) -> Void) {}
  func publishImmediately(_ message: () throws -> RemoteMessage) rethrows -> Bool {
    enter()
    defer { leave() }
    guard calls.add(1, ordering: .relaxed).newValue % 3 != 0 else { return false }
    sent(try message())
    immediate.add(1, ordering: .relaxed)
    return true
  }
  func publish(_ messages: [RemoteMessage]) async throws {
    enter()
    await Task.yield()
    for message in messages { sent(message) }
    leave()
  }
  func subscribe(
    to subject: String, kept: Bool, _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription { TransportSubscription {} }
  func store(_ messages: [RemoteMessage]) async throws {}
  func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage] {
    throw TransportError.closed
  }
  func settle(
    _ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String
  ) async throws {}
  func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage] { [] }
  func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws {}
  func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer {
    throw TransportError.unavailable("no store")
  }
  func watch(
    _ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void
  ) throws -> TransportSubscription { TransportSubscription {} }
  func close() async {}
}
