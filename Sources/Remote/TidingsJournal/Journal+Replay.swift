#if SQLite
import Foundation
import GRDB
public import TidingsRemote

/// How fast a journal is replayed.
public enum ReplaySpeed: Sendable {
  /// As fast as it is consumed.
  case full
  /// With the pauses that were between the messages, divided by the factor; without pauses if it is not positive. A pause takes a
  /// year at most.
  case recorded(times: Double)
}

/// A message of the past.
public struct Replayed<Payload: Sendable>: Sendable {
  public let payload: Payload
  /// Its place in the journal: where a later replay continues.
  public let sequence: UInt64
  /// When it was written.
  public let time: Date
}

extension Journal {
  /// Replays what was written under a name, from a position on, until now.
  ///
  /// ```swift
  /// for try await price in journal.replay("market.priced", of: Int.self, namespace: "shop") { all.append(price) }
  /// ```
  ///
  /// It reads ahead a thousand messages and waits for its consumer. It ends with the newest message; live ones come from the relay.
  ///
  /// - Parameters:
  ///   - name: The event's name.
  ///   - type: Its payload.
  ///   - namespace: The relay's namespace.
  ///   - position: The sequence after which it begins; 0 for all.
  ///   - speed: How fast.
  ///   - schema: How the payload is written.
  ///   - clock: Measures the pauses.
  /// - Returns: A sequence that can be iterated several times. Iterating throws ``/TidingsRemote/TransportError``, or what the schema
  ///   throws for a message that is unreadable.
  public func replay<Payload: Codable & Sendable>(
    _ name: String, of type: Payload.Type, namespace: String, after position: UInt64 = 0, speed: ReplaySpeed = .full,
    schema: Schema<Payload> = .json(), clock: any Clock<Duration> = ContinuousClock()
  ) -> Replay<Payload> {
    let subject = namespace.isEmpty ? name : "\(namespace).\(name)"
    return Replay(
      store: store, subject: subject, position: Int64(clamping: position), speed: speed, schema: schema, clock: clock)
  }
}

/// The messages of a journal as a sequence; made by ``Journal/replay(_:of:namespace:after:speed:schema:clock:)``.
public struct Replay<Payload: Sendable>: AsyncSequence, Sendable {
  let store: JournalStore
  let subject: String
  let position: Int64
  let speed: ReplaySpeed
  let schema: Schema<Payload>
  let clock: any Clock<Duration>

  public func makeAsyncIterator() -> Iterator { Iterator(replay: self, position: position) }

  public struct Iterator: AsyncIteratorProtocol {
    let replay: Replay
    var position: Int64
    private var messages: ArraySlice<(RemoteMessage, Int64)> = []
    private var last: Int64?
    private static var longestPause: Double { 365 * 86_400 * 1e6 }

    init(replay: Replay, position: Int64) { (self.replay, self.position) = (replay, position) }

    public mutating func next() async throws -> Replayed<Payload>? {
      if messages.isEmpty {
        messages = try await replay.store.history(of: replay.subject, after: position, limit: 1_000)[...]
      }
      guard let (message, time) = messages.popFirst() else { return nil }
      position = Swift.max(position, Int64(clamping: message.sequence))
      if case .recorded(let factor) = replay.speed, factor > 0, let last, time > last {
        try await replay.clock.sleep(for: .microseconds(Swift.min(Double(time - last) / factor, Self.longestPause)))
      }
      last = time
      return Replayed(
        payload: try replay.schema.decode(message), sequence: message.sequence,
        time: Date(timeIntervalSince1970: Double(time) / 1_000_000))
    }
  }
}

extension JournalStore {
  /// Messages of one subject with their times.
  func history(of subject: String, after position: Int64, limit: Int) async throws -> [(RemoteMessage, Int64)] {
    try await read { db in
      guard let key = try Self.existingKey(of: subject, db) else { return [] }
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT \(Self.columns) FROM message JOIN subject ON subject.key = message.subject
            WHERE message.subject = ? AND seq > ? AND \(Self.isNumbered) ORDER BY seq LIMIT ?
            """), arguments: [key, position, limit])
      var history: [(RemoteMessage, Int64)] = []
      while let row = try rows.next() { history.append((row.message, row.time(9))) }
      return history
    }
  }
}
#endif
