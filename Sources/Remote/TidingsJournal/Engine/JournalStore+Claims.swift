#if SQLite
import Foundation
import GRDB
import TidingsRemote

extension JournalStore {
  /// Takes messages, those that were given out before first; or says when the next one is due.
  func claim(
    _ limit: Int, _ subject: String, _ consumer: String, isAlive: @escaping @Sendable (String) -> Bool
  ) async throws -> ([ClaimedMessage], next: Duration?) {
    let owner = owner
    // Idle processes only read: a writer would exclude the others.
    let (orphans, isThere, next) = try await read { db -> (Set<String>, Bool, Duration?) in
      guard let key = try Self.existingKey(of: subject, db) else { return ([], false, nil) }
      let owners = try String.fetchSet(
        db,
        sql: "SELECT DISTINCT owner FROM claim WHERE consumer = ? AND subject = ? AND owner IS NOT NULL AND owner != ?",
        arguments: [consumer, key, owner])
      let due = try Int64.fetchOne(
        db,
        sql: """
          SELECT min(CASE WHEN due BETWEEN ? AND ? THEN due ELSE 0 END) FROM claim JOIN message ON message.seq = claim.seq
          JOIN subject ON subject.key = message.subject
          WHERE consumer = ? AND claim.subject = ? AND owner IS NULL AND \(Self.isNumbered)
          """, arguments: [Self.now, Self.lastDue, consumer, key])
      let position = try Self.position(consumer, key, db)
      let isNew = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM message WHERE subject = ? AND seq > ? AND \(Self.isNumbered))",
        arguments: [key, position ?? 0])
      let wait = due.map { max(0, $0 - Self.now) }
      return (owners, wait == 0 || isNew == true || position == nil, wait.map { .microseconds($0) })
    }
    let dead = orphans.filter { !isAlive($0) }
    guard isThere || !dead.isEmpty else { return ([], next) }
    let identity = knownIdentity
    let claimed = try await write { db in
      guard let key = try Self.existingKey(of: subject, db) else { return [ClaimedMessage]() }
      for orphan in dead {
        try db.execute(
          sql: "UPDATE claim SET owner = NULL, due = 0 WHERE consumer = ? AND subject = ? AND owner = ?",
          arguments: [consumer, key, orphan])
      }
      var claimed = try Self.reclaim(limit, consumer, key, owner, db)
      if claimed.count < limit { claimed += try Self.claimNew(limit - claimed.count, consumer, key, owner, db) }
      return claimed
    }
    if let last = claimed.map(\.message.sequence).max() { remember(Int64(last), in: identity) }
    return (claimed, claimed.isEmpty ? next : nil)
  }

  /// A later time comes from a clock that was set since; such a message is due now.
  private static var lastDue: Int64 { now + KeptDelivery.longestDelay.microseconds }

  private static func position(_ consumer: String, _ key: Int64, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT position FROM consumer WHERE name = ? AND subject = ?"),
      arguments: [consumer, key])
  }

  private static func reclaim(
    _ limit: Int, _ consumer: String, _ key: Int64, _ owner: String, _ db: Database
  ) throws -> [ClaimedMessage] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT \(columns), attempt, due FROM claim JOIN message ON message.seq = claim.seq JOIN subject ON subject.key = message.subject
        WHERE claim.consumer = ? AND claim.subject = ? AND owner IS NULL AND due NOT BETWEEN ? AND ?
        AND \(isNumbered) ORDER BY claim.seq LIMIT ?
        """, arguments: [consumer, key, now + 1, lastDue, limit])
    return try rows.map { row in
      let message = row.message
      try db.execute(
        sql: "UPDATE claim SET owner = ? WHERE consumer = ? AND subject = ? AND seq = ?",
        arguments: [owner, consumer, key, Int64(message.sequence)])
      return ClaimedMessage(
        message, attempt: row.attempts(10) + 1, receipt: message.sequence, isRedelivered: row.time(11) == 0)
    }
  }

  private static func claimNew(
    _ limit: Int, _ consumer: String, _ key: Int64, _ owner: String, _ db: Database
  ) throws -> [ClaimedMessage] {
    let select = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM message JOIN subject ON subject.key = message.subject
        WHERE message.subject = ? AND seq > ? AND \(isNumbered) ORDER BY seq LIMIT ?
        """)
    let position = try position(consumer, key, db) ?? 0
    let messages = try messages(Row.fetchCursor(select, arguments: [key, position, limit]))
    try db.execute(
      sql: "INSERT INTO consumer VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET position = excluded.position",
      arguments: [consumer, key, messages.last.map { Int64($0.sequence) } ?? position])
    // A consumer that was put back to the beginning comes to messages that are claimed, or wait to be given out again.
    let insert = try db.cachedStatement(sql: "INSERT OR IGNORE INTO claim VALUES (?, ?, ?, 0, ?, 0)")
    return try messages.compactMap { message in
      try insert.execute(arguments: [consumer, key, Int64(message.sequence), owner])
      return db.changesCount > 0 ? ClaimedMessage(message, attempt: 1, receipt: message.sequence) : nil
    }
  }

  /// Counts the attempt.
  func begin(_ claimed: ClaimedMessage, _ subject: String, _ consumer: String) async throws {
    let owner = owner
    try await write { db in
      try db.execute(
        sql: "UPDATE claim SET attempt = ? WHERE consumer = ? AND subject = ? AND seq = ? AND owner = ?",
        arguments: [claimed.attempt, consumer, Self.key(of: subject, db), Int64(clamping: claimed.receipt), owner])
    }
  }

  /// Returns whether there is something to be given out again.
  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)], _ subject: String, _ consumer: String) async throws -> Bool
  {
    let owner = owner
    return try await write { db in
      let key = try Self.key(of: subject, db)
      let row = "consumer = ? AND subject = ? AND seq = ? AND owner = ?"
      let delete = try db.cachedStatement(sql: "DELETE FROM claim WHERE \(row)")
      let again = try db.cachedStatement(
        sql: "UPDATE claim SET owner = NULL, due = ?, attempt = ? WHERE \(row)")
      var isThere = false
      for (claimed, outcome) in outcomes {
        let sequence = Int64(clamping: claimed.receipt)
        switch outcome {
        case .acknowledged:
          try delete.execute(arguments: [consumer, key, sequence, owner])
        case .dead(let reason):
          try delete.execute(arguments: [consumer, key, sequence, owner])
          // Only what is this process's: the consumer may have been removed.
          guard db.changesCount > 0 else { continue }
          try db.execute(
            sql: "INSERT OR REPLACE INTO dead VALUES (?, ?, ?, ?)", arguments: [consumer, key, sequence, reason])
        case .retry(let after), .returned(let after):
          var attempts = claimed.attempt
          if case .returned = outcome { attempts -= 1 }
          try again.execute(arguments: [
            Self.now + min(after, KeptDelivery.longestDelay).microseconds, attempts, consumer, key, sequence, owner,
          ])
          isThere = true
        }
      }
      return isThere
    }
  }

  func deadMessages(_ subject: String, _ consumer: String) async throws -> [DeadMessage] {
    try await read { db in
      guard let key = try Self.existingKey(of: subject, db) else { return [] }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(Self.columns), reason FROM dead JOIN message ON message.seq = dead.seq
          JOIN subject ON subject.key = message.subject
          WHERE dead.consumer = ? AND dead.subject = ? AND \(Self.isNumbered) ORDER BY dead.seq
          """, arguments: [consumer, key])
      var dead: [DeadMessage] = []
      while let row = try rows.next() { dead.append(DeadMessage(row.message, reason: row.text(10) ?? "")) }
      return dead
    }
  }

  /// Only what is dead: a message that another process has put back may be at work.
  func putBack(_ sequences: [UInt64], _ subject: String, _ consumer: String) async throws {
    try await write { db in
      let key = try Self.key(of: subject, db)
      for sequence in sequences {
        try db.execute(
          sql: "DELETE FROM dead WHERE consumer = ? AND subject = ? AND seq = ?",
          arguments: [consumer, key, Int64(clamping: sequence)])
        guard db.changesCount > 0 else { continue }
        try db.execute(
          sql: "INSERT OR IGNORE INTO claim VALUES (?, ?, ?, 0, NULL, 0)",
          arguments: [consumer, key, Int64(clamping: sequence)])
      }
    }
  }

  func removeConsumer(_ consumer: String, _ subject: String) async throws {
    try await write { db in
      guard let key = try Self.existingKey(of: subject, db) else { return }
      for (table, name) in [("consumer", "name"), ("claim", "consumer"), ("dead", "consumer")] {
        try db.execute(sql: "DELETE FROM \(table) WHERE \(name) = ? AND subject = ?", arguments: [consumer, key])
      }
    }
  }

  /// Gives back what this process had claimed.
  func release() async {
    let owner = owner
    _ = try? await write { db in
      try db.execute(sql: "UPDATE claim SET owner = NULL, due = 0 WHERE owner = ?", arguments: [owner])
    }
  }
}
#endif
