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
    /// Where an acknowledgement goes; it stays right over a lost connection.
    let reply: String
    /// How often it has been given back without counting as an attempt.
    let returns: Int
    let id: String
  }
  private struct State {
    var next: UInt64 = 0
    var claims: [UInt64: Claim] = [:]
    var renewing: Task<Void, Never>?
  }
  private let state = Lock(State())
  private let link: NATSLink
  private let storage: NATSStorage
  /// Attempts that do not count, and what is dead: by consumer, subject and sequence.
  private var records: String { storage.bucket + "_claims" }

  init(_ link: NATSLink, _ storage: NATSStorage) { (self.link, self.storage) = (link, storage) }
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
    _ = try? await session.send(replies.map { OutgoingMessage(subject: $0, body: Data("+WPI".utf8)) })
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
          let found = try stream.stream(of: subject)
          try stream.makeDurable(name, of: found, subject: subject)
          return found
        }
      }
      let request = JetStream(session: session, storage: storage).next(stream, name)
      let pull = try ClaimPull(session, subject)
      var messages = try await pull.messages(limit, request, waiting: false)
      if messages.isEmpty { messages = try await pull.messages(1, request, waiting: true) }
      // Streams or consumers may have been deleted.
      if pull.isRefused { session.forget() }
      if messages.isEmpty { continue }
      if link.isClosed || Task.isCancelled {
        for message in messages { session.post(OutgoingMessage(subject: message.reply, body: Data("-NAK".utf8))) }
        throw link.isClosed ? TransportError.closed : CancellationError() as any Error
      }
      var claimed: [ClaimedMessage] = []
      for message in messages {
        let returns = message.receipt.delivered > 1 ? try await self.returns(of: message.message, name, session) : 0
        let claim = Claim(
          subject: subject, consumer: name, sequence: message.receipt.sequence, reply: message.reply, returns: returns,
          id: message.message.id)
        let receipt = state.withLock { state in
          state.next += 1
          state.claims[state.next] = claim
          return state.next
        }
        claimed.append(
          ClaimedMessage(message.message, attempt: max(1, message.receipt.delivered - returns), receipt: receipt))
      }
      return claimed
    }
  }

  private func key(_ kind: String, _ subject: String, _ consumer: String, _ sequence: UInt64) -> String {
    "$KV.\(records).\(kind).\(consumer).\(NATSSubject.escape(subject)).\(sequence)"
  }

  private func returns(of message: RemoteMessage, _ consumer: String, _ session: NATSSession) async throws -> Int {
    let (storage, records) = (storage, records)
    let key = key("returned", message.subject, consumer, message.sequence)
    let stored = try await offPool {
      let stream = JetStream(session: session, storage: storage)
      return try APIError.translating { try stream.last(of: key, in: stream.bucket(records)) }
    }
    return stored?.data.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  // MARK: Settling
  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)]) async throws {
    if link.isClosed { throw TransportError.closed }
    let session = try await link.session(within: .seconds(2))
    try await record(outcomes, session)
    var (messages, receipts) = ([OutgoingMessage](), [UInt64]())
    for (claimed, outcome) in outcomes {
      guard let claim = state.withLock({ $0.claims[claimed.receipt] }) else { continue }
      let body =
        switch outcome {
        case .acknowledged: "+ACK"
        case .dead: "+TERM"
        case .retry(let delay), .returned(let delay):
          delay > .zero ? #"-NAK {"delay":\#(delay.nanoseconds)}"# : "-NAK"
        }
      messages.append(OutgoingMessage(subject: claim.reply, body: Data(body.utf8)))
      receipts.append(claimed.receipt)
    }
    // Each is answered when the broker has it; where the consumer is gone there is nothing to settle.
    for window in stride(from: 0, to: messages.count, by: 2_048) {
      _ = try await session.exchange(Array(messages[window..<min(window + 2_048, messages.count)]))
    }
    state.withLock { state in for receipt in receipts { state.claims[receipt] = nil } }
  }

  /// What the consumer itself does not remember, before it is told.
  private func record(_ outcomes: [(ClaimedMessage, ClaimOutcome)], _ session: NATSSession) async throws {
    var writes: [OutgoingMessage] = []
    for (claimed, outcome) in outcomes {
      guard let claim = state.withLock({ $0.claims[claimed.receipt] }) else { continue }
      switch outcome {
      case .acknowledged, .retry: continue
      case .returned:
        writes.append(
          OutgoingMessage(
            subject: key("returned", claim.subject, claim.consumer, claim.sequence),
            body: Data("\(claim.returns + 1)".utf8)))
      case .dead(let reason):
        let record = DeadRecord(id: claim.id, sequence: claim.sequence, reason: reason)
        writes.append(
          OutgoingMessage(
            subject: key("dead", claim.subject, claim.consumer, claim.sequence), body: try JSONEncoder().encode(record))
        )
      }
    }
    guard !writes.isEmpty else { return }
    let (storage, records) = (storage, records)
    _ = try await offPool {
      try APIError.translating { try JetStream(session: session, storage: storage).bucket(records) }
    }
    for reply in try await session.exchange(writes) { _ = try Acknowledgement.sequence(reply) }
  }

  struct DeadRecord: Codable {
    let id: String
    let sequence: UInt64
    let reason: String
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

extension Acknowledgement {
  private static let decoder = JetStream.decoder
  static func decoding(_ body: Data) throws -> Acknowledgement { try decoder.decode(Acknowledgement.self, from: body) }

  /// The sequence under which a message is stored.
  static func sequence(_ reply: NATSReply) throws -> UInt64 {
    if reply.status == 503 { throw TransportError.unavailable("nats: no stream takes the message (yet)") }
    let acknowledgement = try decoding(reply.body)
    if let error = acknowledgement.error { throw error.transportError }
    return acknowledgement.seq ?? 0
  }
}
#endif
