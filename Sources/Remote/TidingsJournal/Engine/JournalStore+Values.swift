#if SQLite
import Foundation
import GRDB
import TidingsRemote

extension JournalStore {
  func write(_ body: Data, _ key: String, expecting expected: UInt64) async throws -> WriteAnswer {
    try await write { db in
      let current = try Self.value(key, db)
      guard current?.revision ?? 0 == expected else { return .conflict(current) }
      try db.execute(
        sql: """
          INSERT INTO value VALUES (?, ?, (SELECT coalesce(max(change), 0) + 1 FROM value), ?)
          ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, change = excluded.change, body = excluded.body
          """, arguments: [key, Int64(expected) + 1, body])
      return .written(revision: expected + 1)
    }
  }

  func value(_ key: String) async throws -> StoredValue? { try await read { db in try Self.value(key, db) } }
  private static func value(_ key: String, _ db: Database) throws -> StoredValue? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT revision, body FROM value WHERE key = ?"), arguments: [key]
    ).map { row in StoredValue(row[1], revision: UInt64(row[0] as Int64)) }
  }

  /// The keys whose values were written after a change, and the last change.
  func keys(changedAfter change: Int64) async throws -> (keys: Set<String>, last: Int64) {
    try await read { db in
      var (keys, last) = (Set<String>(), change)
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: "SELECT key, change FROM value WHERE change > ?"), arguments: [change])
      while let row = try rows.next() {
        keys.insert(row[0])
        last = max(last, row[1])
      }
      return (keys, last)
    }
  }
}
#endif
