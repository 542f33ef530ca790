#if SQLite
import Foundation
import GRDB
import TidingsRemote

extension JournalStore {
  func write(_ body: Data, _ key: String, expecting expected: UInt64) async throws -> WriteAnswer {
    let (now, largest) = (Self.now, StoreNumber.largest)
    return try await write { [self] db in
      let current = try Self.value(key, db)
      let revision = current?.revision ?? 0
      guard revision == expected else {
        // No revision decreases while processes write: the values were emptied or restored. Other keys of which processes know
        // newer values are found by nothing else, once any key has been written again.
        if revision < expected { _ = try StoreIdentity.renewValues(insteadOf: knownIdentity, db) }
        return .conflict(current)
      }
      // Not a count: a file that was made again, or restored, must not give a number that a process knows from before.
      let next = max(now, Int64(expected) + 1)
      try db.execute(
        sql: """
          INSERT INTO value
          VALUES (?, ?, max(?, (SELECT coalesce(max(change), 0) + 1 FROM value WHERE change < ?)), ?)
          ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, change = excluded.change, body = excluded.body
          """, arguments: [key, next, now, largest, body])
      return .written(revision: UInt64(next))
    }
  }

  func value(_ key: String) async throws -> StoredValue? { try await read { db in try Self.value(key, db) } }
  private static func value(_ key: String, _ db: Database) throws -> StoredValue? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT revision, body FROM value WHERE key = ?"), arguments: [key]
    ).map { row in try row.value(of: key) }
  }

  /// The keys whose values were written after a change, and the last change.
  func keys(changedAfter change: Int64) async throws -> (keys: Set<String>, last: Int64) {
    try await read { db in
      var (keys, last) = (Set<String>(), change)
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: "SELECT key, change FROM value WHERE change > ?"), arguments: [change])
      while let row = try rows.next() {
        if let key = row.text(0) { keys.insert(key) }
        // As in an extent: after the largest number no change would be found.
        if let number = row.number(1), number < StoreNumber.largest { last = max(last, Int64(number)) }
      }
      return (keys, last)
    }
  }
}
#endif
