#if NATS
import Foundation
import TidingsRemote

/// Records what consumers of the broker do not remember of a message: which times count as attempts, and that it is dead.
/// The records are in a key-value bucket, so that all processes and the broker's own tools see them.
///
/// A dead message stays unacknowledged, given back with a delay of years: the broker can give it out again to this consumer
/// alone, which it can for no message that is settled.
struct ClaimRecords: Sendable {
  struct Key: Sendable {
    let subject: String
    let consumer: String
    let sequence: UInt64
    init(_ subject: String, _ consumer: String, _ sequence: UInt64) {
      (self.subject, self.consumer, self.sequence) = (subject, consumer, sequence)
    }
  }
  struct Record: Codable {
    /// How many of the times that it was given out do not count as attempts.
    var returns: Int
    /// The time that the record is about, from 1. Nil in a record of an earlier version, which counts all others as attempts.
    var delivered: Int?
    /// Whether the handler of that time has begun, and nothing more is known. In the others what became of it is included.
    var isOpen: Bool?
    /// When the message was stored, in microseconds since 1970: a stream that was made again has other messages under its numbers.
    /// Nil in a record of an earlier version.
    var time: UInt64?
    /// For a dead message: why it is dead, and where to ask for it again.
    var reason: String?
    var reply: String?
    /// Whether it is being put back: it is given out, and still listed until the broker has been notified.
    var isBack: Bool?
    var isDead: Bool { reason != nil && isBack != true }
    /// How many attempts count.
    var attempts: Int { delivered.map { max(0, $0 - returns) } ?? 0 }

    /// Returns nil for what is no record, as anybody may have written it, and for that of another message.
    static func decode(_ data: Data, time: UInt64?) -> Record? {
      guard var record = try? JSONDecoder().decode(Record.self, from: data), (record.time ?? time) == time else {
        return nil
      }
      let numbers = 0...Int(Int32.max)
      record.returns = min(max(record.returns, numbers.lowerBound), numbers.upperBound)
      record.delivered = record.delivered.map { min(max($0, numbers.lowerBound), numbers.upperBound) }
      return record
    }
  }
  /// Ten years.
  static let forLong = Data(#"-NAK {"delay":315360000000000000}"#.utf8)

  private let storage: NATSStorage
  private var bucket: String { storage.bucket + "_claims" }
  init(_ storage: NATSStorage) { self.storage = storage }

  private func subject(_ key: Key) -> String { "\(prefix(key.subject, key.consumer)).\(key.sequence)" }
  private func prefix(_ subject: String, _ consumer: String) -> String {
    "$KV.\(bucket).\(consumer).\(NATSSubject.escape(subject))"
  }
  private func stream(_ session: NATSSession) -> JetStream { JetStream(session: session, storage: storage) }

  /// - Parameter time: When the message was stored.
  func record(_ key: Key, _ time: UInt64, _ session: NATSSession) async throws -> Record? {
    let (stream, subject, bucket) = (stream(session), subject(key), bucket)
    let stored = try await offPool {
      try APIError.translating { try stream.last(of: subject, in: stream.bucket(bucket).stream, orNoStream: true) }
    }
    return stored?.data.flatMap { Record.decode($0, time: time) }
  }

  func write(_ records: [(Key, Record)], _ session: NATSSession) async throws {
    guard !records.isEmpty else { return }
    let (stream, bucket) = (stream(session), bucket)
    _ = try await offPool { try APIError.translating { try stream.bucket(bucket) } }
    let messages = try records.map { key, record in
      OutgoingMessage(subject: subject(key), body: try JSONEncoder().encode(record))
    }
    let replies = try await session.exchange(messages)
    // The bucket may have been deleted.
    if replies.contains(where: { $0.status == 503 }) { session.forget() }
    for reply in replies { _ = try Acknowledgement.sequence(reply) }
  }

  /// Deletes records of what is handled; nothing depends on it.
  func delete(_ keys: [Key], _ session: NATSSession) {
    session.post(
      keys.map { key in
        OutgoingMessage(
          subject: "$JS.API.STREAM.PURGE.KV_\(bucket)", body: Data(#"{"filter":"\#(subject(key))"}"#.utf8))
      })
  }

  /// Deletes all records of a consumer.
  func deleteAll(_ subject: String, _ consumer: String, _ session: NATSSession) async throws {
    let (stream, prefix, bucket) = (stream(session), prefix(subject, consumer), bucket)
    try await offPool { try APIError.translating { try stream.purge(prefix + ".*", of: "KV_\(bucket)") } }
  }

  func dead(_ subject: String, _ consumer: String, _ session: NATSSession) async throws -> [DeadMessage] {
    let (stream, prefix, bucket) = (stream(session), prefix(subject, consumer), bucket)
    return try await offPool {
      try APIError.translating {
        let bucket = try stream.bucket(bucket).stream
        let source = try stream.stream(of: subject)
        let sequences = try stream.subjects(of: bucket, matching: prefix + ".*").compactMap { key in
          key.split(separator: ".").last.flatMap { UInt64($0) }
        }
        var dead: [DeadMessage] = []
        for sequence in sequences.sorted() {
          guard let stored = try stream.last(of: "\(prefix).\(sequence)", in: bucket)?.data,
            let message = try stream.message(sequence, in: source),
            let reason = Record.decode(stored, time: message.time.flatMap(StreamExtent.microseconds))?.reason
          else { continue }
          dead.append(
            DeadMessage(
              NATSHeader.decode(
                message.header(NATSHeader.name), subject: subject, body: message.data ?? Data(), sequence: sequence),
              reason: reason))
        }
        return dead
      }
    }
  }

  func putBack(_ keys: [Key], _ session: NATSSession) async throws {
    let stream = stream(session)
    for key in keys {
      let message = try await offPool {
        try APIError.translating { try stream.message(key.sequence, in: stream.stream(of: key.subject)) }
      }
      guard let time = message?.time.flatMap(StreamExtent.microseconds),
        var record = try await record(key, time, session), record.reason != nil, let reply = record.reply
      else { continue }
      // In this order: a process that ends in between leaves it listed.
      record.isBack = true
      try await write([(key, record)], session)
      _ = try await session.exchange([OutgoingMessage(subject: reply, body: Data("-NAK".utf8))])
      try await write([(key, Record(returns: record.returns, delivered: record.returns, time: time))], session)
    }
  }
}
#endif
