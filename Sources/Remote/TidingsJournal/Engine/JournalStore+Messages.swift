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
      var ends: [String: (key: Int64, place: Int64)] = [:]
      var end: (subject: String, key: Int64, place: Int64)?
      let (before, now) = (db.lastInsertedRowID, Self.now)
      var first: Int64?
      for message in messages {
        if end?.subject != message.subject {
          if let end { ends[end.subject] = (end.key, end.place) }
          let known = try ends[message.subject] ?? Self.target(message.subject, kept: kept, db)
          end = (message.subject, known.key, known.place)
        }
        guard let (_, key, place) = end else { continue }
        try insert.bind(1, key)
        try insert.bind(2, kept ? message.id : nil)
        try insert.bind(3, message.origin)
        try insert.bind(4, kept ? place + 1 : Int64(clamping: message.number))
        try insert.bind(5, Int64(message.hops))
        try insert.bind(6, message.schema)
        try insert.bind(7, Int64(message.version))
        try insert.bind(8, now)
        try insert.bind(9, message.body)
        try insert.execute()
        // A message that is stored already takes no place.
        if db.changesCount > 0 {
          if first == nil { first = db.lastInsertedRowID }
          end?.place += 1
        }
      }
      // Another program has used a number that no message can follow: what has a larger one would never be given to a handler.
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

  /// Returns the number of the last message ever written, pruned or not, and the place of the subject's last kept message.
  func end(of subject: String) throws -> (sequence: Int64, place: Int64?) {
    let identity = knownIdentity
    let end: (sequence: Int64, place: Int64?) = try translating {
      try pool.read { db in
        let last = try Self.lastSequence(db)
        guard let end = try Self.end(of: subject, db) else { return (last, 0) }
        return (last, end.place)
      }
    }
    remember(end.sequence, in: identity)
    return end
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

  // MARK: Places
  /// Kept messages of a subject are numbered from 1 without gaps, in place of their origin's numbers, of which they have none. So
  /// a gap is the number of messages that were removed. No sequence shows it, since all subjects share these.
  private static func target(_ subject: String, kept: Bool, _ db: Database) throws -> (key: Int64, place: Int64) {
    guard kept, let end = try end(of: subject, db) else { return (try key(of: subject, db), 0) }
    return (end.key, try end.place ?? removedPlace(end.key, db))
  }

  /// The place of the subject's last kept message, removed or not, or 0. Nil if that has none: an earlier version of the library
  /// has stored it.
  private static func end(of subject: String, _ db: Database) throws -> (key: Int64, place: Int64?)? {
    // The sign keeps SQLite from using the index of ids, with which it would read and sort every message.
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT key, (SELECT number FROM message WHERE message.subject = subject.key AND +id IS NOT NULL AND \(isNumbered)
          ORDER BY seq DESC LIMIT 1) FROM subject WHERE name = ?
          """), arguments: [subject])
    guard let row, let key = row.integer(0) else { return nil }
    guard let number = row.integer(1) else { return (key, try removedPlace(key, db)) }
    return (key, place(number))
  }
  private static func removedPlace(_ key: Int64, _ db: Database) throws -> Int64 {
    let removed = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT place FROM removed WHERE subject = ?"), arguments: [key])
    return removed?.integer(0).flatMap(place) ?? 0
  }
  private static func place(_ number: Int64) -> Int64? {
    (1..<Int64(RemoteMessage.largestNumber)).contains(number) ? number : nil
  }

  /// The place of the last kept message that was removed; nil if the subject has messages after a position.
  func removedPlace(of subject: String, unlessAfter position: Int64) async throws -> Int64? {
    try await read { db in
      guard let key = try Self.existingKey(of: subject, db) else { return nil }
      let isMore = try Bool.fetchOne(
        db.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM message WHERE subject = ? AND seq > ? AND \(Self.isNumbered))"),
        arguments: [key, position])
      return try isMore == true ? nil : Self.removedPlace(key, db)
    }
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
        let removed = """
          FROM message WHERE seq < ?
          AND NOT EXISTS (SELECT 1 FROM consumer c WHERE c.subject = message.subject AND c.position < message.seq)
          AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.subject = message.subject AND claim.seq = message.seq)
          """
        try db.execute(
          sql: """
            INSERT INTO removed SELECT subject, max(number) \(removed)
            AND id IS NOT NULL AND number BETWEEN 1 AND \(RemoteMessage.largestNumber - 1) GROUP BY subject
            ON CONFLICT (subject) DO UPDATE SET place = max(place, excluded.place)
            """, arguments: [oldest])
        try db.execute(sql: "DELETE \(removed)", arguments: [oldest])
        return db.changesCount
      }
    }
  }
}
#endif
