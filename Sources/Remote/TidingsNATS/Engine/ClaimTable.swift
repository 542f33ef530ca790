#if NATS
import Foundation
import Tidings
import TidingsRemote

/// The messages that this process has claimed and not settled, on all its consumers; they are renewed while it lives.
final class ClaimTable: Sendable {
  struct Claim: Sendable {
    let subject: String
    let consumer: String
    let sequence: UInt64
    /// The subject of an acknowledgement; it stays valid when the connection is lost.
    let reply: String
    /// How often it has been given out.
    let delivered: Int
    /// When it was stored.
    let time: UInt64
    /// Whether there is a record of it.
    var hasRecord: Bool
    /// The record of this time, when the given number of attempts counts.
    func record(attempts: Int, isOpen: Bool? = nil) -> ClaimRecords.Record {
      ClaimRecords.Record(returns: delivered - attempts, delivered: delivered, isOpen: isOpen, time: time)
    }
    var key: ClaimRecords.Key { ClaimRecords.Key(subject, consumer, sequence) }
  }
  private struct State {
    var next: UInt64 = 0
    var claims: [UInt64: Claim] = [:]
    var renewing: Task<Void, Never>?
  }
  private let state = Lock(State())
  private let link: NATSLink
  private let storage: NATSStorage
  private let records: ClaimRecords

  init(_ link: NATSLink, _ storage: NATSStorage) {
    (self.link, self.storage) = (link, storage)
    records = ClaimRecords(storage)
  }
  deinit { state.withLock { $0.renewing }?.cancel() }

  func open() {
    let pause = storage.claimTimeout / 3
    let renewing = Task.detached { [weak self] in
      while (try? await Task.sleep(for: pause)) != nil { await self?.renew() }
    }
    state.withLock { $0.renewing = renewing }
  }

  private func renew() async {
    let replies = state.withLock { $0.claims.values.map(\.reply) }
    guard !replies.isEmpty, let session = try? await link.session(within: .zero) else { return }
    session.post(replies.map { OutgoingMessage(subject: $0, body: Data("+WPI".utf8)) })
  }

  // MARK: Claiming
  func claim(_ limit: Int, _ subject: String, _ consumer: String) async throws -> [ClaimedMessage] {
    let (link, storage, name) = (link, storage, NATSSubject.escape(word: consumer))
    while true {
      let session = try await link.session()
      try Task.checkCancellation()
      let stream = try await offPool {
        let stream = JetStream(session: session, storage: storage)
        return try APIError.translating {
          let found = try stream.stream(of: subject, reading: true)
          try stream.makeDurable(name, of: found, subject: subject)
          return found
        }
      }
      let request = JetStream(session: session, storage: storage).next(stream, name)
      let pull = try ClaimPull(session, subject)
      var messages = try await pull.messages(limit, request, waiting: false)
      if messages.isEmpty { messages = try await pull.messages(1, request, waiting: true) }
      // Streams or consumers may have been deleted.
      if pull.isRejected { session.forget() }
      if messages.isEmpty { continue }
      if link.isClosed || Task.isCancelled {
        for message in messages { session.post(OutgoingMessage(subject: message.reply, body: Data("-NAK".utf8))) }
        throw link.isClosed ? TransportError.closed : CancellationError() as any Error
      }
      let claims = try await claims(of: messages, consumer: name, session)
      if !claims.isEmpty { return claims.map(add) }
    }
  }
  private func add(_ made: (claim: Claim, message: RemoteMessage, attempt: Int, isRedelivered: Bool)) -> ClaimedMessage
  {
    let receipt = state.withLock { state in
      state.next += 1
      state.claims[state.next] = made.claim
      return state.next
    }
    return ClaimedMessage(made.message, attempt: made.attempt, receipt: receipt, isRedelivered: made.isRedelivered)
  }

  /// When a record cannot be read, none of the messages is claimed: the broker gives them out again.
  private func claims(
    of messages: [ClaimPull.Message], consumer: String, _ session: NATSSession
  ) async throws -> [(claim: Claim, message: RemoteMessage, attempt: Int, isRedelivered: Bool)] {
    var claims: [(claim: Claim, message: RemoteMessage, attempt: Int, isRedelivered: Bool)] = []
    for message in messages {
      let (subject, receipt) = (message.message.subject, message.receipt)
      let record =
        receipt.delivered > 1
        ? try await records.record(ClaimRecords.Key(subject, consumer, receipt.sequence), receipt.time, session) : nil
      if let record, record.isDead {
        // The broker has forgotten that it was to wait.
        session.post(OutgoingMessage(subject: message.reply, body: ClaimRecords.forLong))
        continue
      }
      let attempts = record?.attempts ?? 0
      // Times of which nothing is known, because a process ended or the broker waited in vain, count no attempt.
      let isRedelivered = record?.isOpen == true || receipt.delivered - 1 > record?.delivered ?? record?.returns ?? 0
      let claim = Claim(
        subject: subject, consumer: consumer, sequence: receipt.sequence, reply: message.reply,
        delivered: receipt.delivered, time: receipt.time, hasRecord: record != nil)
      claims.append((claim, message.message, attempts + 1, isRedelivered))
    }
    return claims
  }

  func begin(_ claimed: ClaimedMessage) async throws {
    guard let claim = state.withLock({ $0.claims[claimed.receipt] }) else { return }
    let session = try await link.session(within: .seconds(2))
    try await records.write([(claim.key, claim.record(attempts: claimed.attempt, isOpen: true))], session)
    state.withLock { $0.claims[claimed.receipt]?.hasRecord = true }
  }

  // MARK: Settling
  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)]) async throws {
    if link.isClosed { throw TransportError.closed }
    let session = try await link.session(within: .seconds(2))
    try await record(outcomes, session)
    var messages: [OutgoingMessage] = []
    for (claimed, outcome) in outcomes {
      guard let claim = state.withLock({ $0.claims[claimed.receipt] }) else { continue }
      let body =
        switch outcome {
        case .acknowledged: "+ACK"
        // It stays with its consumer, so that it can be put back.
        case .dead: String(decoding: ClaimRecords.forLong, as: UTF8.self)
        case .retry(let delay), .returned(let delay):
          delay > .zero ? #"-NAK {"delay":\#(delay.nanoseconds)}"# : "-NAK"
        }
      messages.append(OutgoingMessage(subject: claim.reply, body: Data(body.utf8)))
    }
    // Each is answered when the broker has it; where the consumer no longer exists there is nothing to settle.
    for window in stride(from: 0, to: messages.count, by: 2_048) {
      _ = try await session.exchange(Array(messages[window..<min(window + 2_048, messages.count)]))
    }
    let obsolete = state.withLock { state in
      outcomes.compactMap { claimed, outcome -> ClaimRecords.Key? in
        guard let claim = state.claims.removeValue(forKey: claimed.receipt) else { return nil }
        return claim.hasRecord && outcome == .acknowledged ? claim.key : nil
      }
    }
    records.delete(obsolete, session)
  }

  /// Writes the records that the consumer itself does not keep, before the consumer is notified.
  private func record(_ outcomes: [(ClaimedMessage, ClaimOutcome)], _ session: NATSSession) async throws {
    var written: [(ClaimRecords.Key, ClaimRecords.Record)] = []
    for (claimed, outcome) in outcomes {
      guard let claim = state.withLock({ $0.claims[claimed.receipt] }) else { continue }
      switch outcome {
      case .acknowledged: continue
      case .retry: written.append((claim.key, claim.record(attempts: claimed.attempt)))
      case .returned: written.append((claim.key, claim.record(attempts: claimed.attempt - 1)))
      case .dead(let reason):
        var record = claim.record(attempts: 0)
        (record.reason, record.reply) = (reason, claim.reply)
        written.append((claim.key, record))
      }
    }
    try await records.write(written, session)
  }

  // MARK: What is dead
  func deadMessages(_ subject: String, _ consumer: String) async throws -> [DeadMessage] {
    try await records.dead(subject, NATSSubject.escape(word: consumer), link.session(within: .seconds(2)))
  }
  func putBack(_ sequences: [UInt64], _ subject: String, _ consumer: String) async throws {
    let name = NATSSubject.escape(word: consumer)
    try await records.putBack(
      sequences.map { ClaimRecords.Key(subject, name, $0) }, link.session(within: .seconds(2)))
  }

  func removeConsumer(_ consumer: String, _ subject: String) async throws {
    let (name, storage) = (NATSSubject.escape(word: consumer), storage)
    let session = try await link.session(within: .seconds(2))
    // It is no longer renewed.
    state.withLock { $0.claims = $0.claims.filter { $0.value.subject != subject || $0.value.consumer != name } }
    try await offPool {
      try APIError.translating { try JetStream(session: session, storage: storage).removeDurable(name, of: subject) }
    }
    try await records.deleteAll(subject, name, session)
  }

  /// Gives back what is claimed.
  func close() async {
    let (claims, renewing) = state.withLock { state in
      defer { state.claims = [:] }
      return (state.claims.sorted { $0.key < $1.key }.map(\.value), state.renewing)
    }
    renewing?.cancel()
    guard !claims.isEmpty, let session = try? await link.session(within: .zero) else { return }
    _ = try? await session.exchange(claims.map { OutgoingMessage(subject: $0.reply, body: Data("-NAK".utf8)) })
  }
}
#endif
