#if SQLite
import Foundation
import GRDB
import Synchronization
import TidingsRemote

extension JournalStore {
  /// In one transaction; returns whether it is time to prune.
  func add(_ messages: [RemoteMessage], kept: Bool) async throws -> Bool {
    guard !messages.isEmpty else { return false }
    let (isPruningDue, last, identity) = try await write { [self] db in
      let insert = try BulkInsert(
        db,
        sql: """
          INSERT OR IGNORE INTO message (subject, id, origin, number, hops, schema, version, time, body)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      var keys: [String: Int64] = [:]
      let (before, now) = (db.lastInsertedRowID, Self.now)
      var first: Int64?
      for message in messages {
        let key: Int64
        if let known = keys[message.subject] {
          key = known
        } else {
          key = try Self.key(of: message.subject, db)
          keys[message.subject] = key
        }
        try insert.bind(1, key)
        try insert.bind(2, kept ? message.id : nil)
        try insert.bind(3, message.origin)
        try insert.bind(4, Int64(clamping: message.number))
        try insert.bind(5, Int64(message.hops))
        try insert.bind(6, message.schema)
        try insert.bind(7, Int64(message.version))
        try insert.bind(8, now)
        try insert.bind(9, message.body)
        try insert.execute()
        if first == nil, db.changesCount > 0 { first = db.lastInsertedRowID }
      }
      // Another program has used a number that no message can follow: what has a larger one would be given to nobody.
      guard db.lastInsertedRowID <= StoreNumber.largest else {
        throw TransportError.rejected("journal: the numbers of '\(path)' are used up")
      }
      let identity = try first.map { try checkNumber($0, db) }
      return (db.lastInsertedRowID / 10_000 != before / 10_000, db.lastInsertedRowID, identity)
    }
    if let identity { remember(last, in: identity) }
    return isPruningDue
  }

  static func key(of subject: String, _ db: Database) throws -> Int64 {
    if let key = try existingKey(of: subject, db) { return key }
    try db.execute(sql: "INSERT INTO subject (name) VALUES (?)", arguments: [subject])
    return db.lastInsertedRowID
  }
  static func existingKey(of subject: String, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT key FROM subject WHERE name = ?"), arguments: [subject])
  }

  /// Returns the number of the last message ever written, pruned or not.
  func lastSequence() throws -> Int64 {
    let identity = knownIdentity
    let last = try translating { try pool.read { db in try Self.lastSequence(db) } }
    remember(last, in: identity)
    return last
  }
  static func lastSequence(_ db: Database) throws -> Int64 {
    let given = try Row.fetchOne(db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'message'"))
    // Another program may have written a number there that is before the messages, or is none.
    let stored = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT seq FROM message WHERE \(isNumbered) ORDER BY seq DESC LIMIT 1"))
    return Int64(max(given?.number(0) ?? 0, stored?.number(0) ?? 0))
  }

  /// A condition: another program may have stored rows under numbers out of bounds, which are no messages.
  static let isNumbered = "message.seq BETWEEN 1 AND \(StoreNumber.largest)"
  static let columns = "message.seq, name, id, origin, number, hops, schema, version, body, time"

  /// Messages of all subjects after a position, in order.
  func messages(after position: Int64, limit: Int) async throws -> [RemoteMessage] {
    try await read { db in
      let select = try db.cachedStatement(
        sql: """
          SELECT \(Self.columns) FROM message JOIN subject ON subject.key = message.subject
          WHERE seq > ? AND \(Self.isNumbered) ORDER BY seq LIMIT ?
          """)
      return try Self.messages(Row.fetchCursor(select, arguments: [position, limit]))
    }
  }

  static func messages(_ rows: RowCursor) throws -> [RemoteMessage] {
    var messages: [RemoteMessage] = []
    while let row = try rows.next() { messages.append(row.message) }
    return messages
  }

  /// Deletes the messages that every consumer has handled and the retention does not keep. Returns how many.
  func prune(_ retention: Journal.Retention) throws -> Int {
    guard retention.count != nil || retention.age != nil else { return 0 }
    return try translating {
      try pool.write { db in
        var oldest = try Int64.fetchOne(db, sql: "SELECT coalesce(min(seq), 0) FROM message") ?? 0
        if let count = retention.count { oldest = max(oldest, try Self.lastSequence(db) - Int64(max(0, count)) + 1) }
        if let age = retention.age {
          let horizon = Self.now - age.microseconds
          let first = try Int64.fetchOne(
            db, sql: "SELECT seq FROM message WHERE time >= ? ORDER BY seq LIMIT 1", arguments: [horizon])
          oldest = max(oldest, try first ?? Self.lastSequence(db) + 1)
        }
        try db.execute(
          sql: """
            DELETE FROM message WHERE seq < ?
            AND NOT EXISTS (SELECT 1 FROM consumer c WHERE c.subject = message.subject AND c.position < message.seq)
            AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.subject = message.subject AND claim.seq = message.seq)
            """, arguments: [oldest])
        return db.changesCount
      }
    }
  }
}
#endif
