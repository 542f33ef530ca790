import Foundation
import Synchronization
import TidingsRemote
import TidingsTesting

/// A transport within this process, of which those of the tests change a part.
protocol ChangedTransport: RemoteTransport {
  var base: MemoryTransport { get }
}

extension ChangedTransport {
  func open(_ report: @escaping @Sendable (TransportReport) -> Void) { base.open(report) }
  func publish(_ messages: [RemoteMessage]) async throws { try await base.publish(messages) }
  func subscribe(
    to subject: String, kept: Bool, missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription { try base.subscribe(to: subject, kept: kept, missed: missed, receive) }
  func store(_ messages: [RemoteMessage]) async throws { try await base.store(messages) }
  func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage] {
    try await base.claim(limit, of: subject, as: consumer)
  }
  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String) async throws {
    try await base.settle(outcomes, of: subject, as: consumer)
  }
  func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage] {
    try await base.deadMessages(of: subject, as: consumer)
  }
  func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws {
    try await base.putBack(sequences, of: subject, as: consumer)
  }
  func removeConsumer(_ consumer: String, of subject: String) async throws {
    try await base.removeConsumer(consumer, of: subject)
  }
  func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer {
    try await base.write(body, to: key, expecting: revision)
  }
  func watch(_ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void) throws -> TransportSubscription {
    try base.watch(key, receive)
  }
  func close() async { await base.close() }
}

/// Each call that sends is counted, waits for a gate, and fails.
struct AwayTransport: ChangedTransport {
  let base = MemoryTransport.memory()
  let published = Recorder<Int>()
  let gate = Latch()

  func publish(_ messages: [RemoteMessage]) async throws {
    published(messages.count)
    await gate.wait()
    throw TransportError.unavailable("away")
  }
}

/// A transport that ignores the requested delay: a returned message can be claimed again immediately.
struct PromptTransport: ChangedTransport {
  let base: MemoryTransport

  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String) async throws {
    let prompt = outcomes.map { message, outcome in
      if case .returned = outcome { (message, ClaimOutcome.returned(after: .zero)) } else { (message, outcome) }
    }
    try await base.settle(prompt, of: subject, as: consumer)
  }
}

/// Sends on the calling thread as often as not, and remembers the order in which it was given messages, and whether it was given
/// one while another was being sent.
final class ImmediateTransport: ChangedTransport {
  let base = MemoryTransport.memory()
  let sent = Recorder<RemoteMessage>()
  let immediate = Atomic(0)
  let overlapping = Atomic(0)
  private let calls = Atomic(0)
  private let underWay = Atomic(0)

  private func enter() {
    if underWay.add(1, ordering: .sequentiallyConsistent).oldValue > 0 { overlapping.add(1, ordering: .relaxed) }
  }
  private func leave() { underWay.subtract(1, ordering: .sequentiallyConsistent) }

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
}
