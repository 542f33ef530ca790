#if SQLite
import Foundation
import GRDBSQLite

/// SQLite by itself: rows like those of a journal, with its indexes, in transactions of a thousand.
enum RawSQLite {
  /// Seconds in which the given number of rows is inserted into a new file.
  static func insert(_ count: Int, into path: String) -> Double {
    var database: OpaquePointer?
    precondition(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    func execute(_ sql: String) { precondition(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK) }
    execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE message (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, subject INTEGER NOT NULL, id TEXT, origin TEXT NOT NULL,
        number INTEGER NOT NULL, hops INTEGER NOT NULL, schema TEXT NOT NULL, version INTEGER NOT NULL,
        time INTEGER NOT NULL, body BLOB NOT NULL);
      CREATE INDEX message_subject ON message(subject, seq);
      CREATE UNIQUE INDEX message_id ON message(subject, id) WHERE id IS NOT NULL;
      """)
    let sql = """
      INSERT OR IGNORE INTO message (subject, id, origin, number, hops, schema, version, time, body)
      VALUES (1, ?, 'figures#2gosa7pa2gv/1', 0, 0, 'Tick', 1, 1700000000000000, ?)
      """
    var statement: OpaquePointer?
    precondition(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    let body = #"{"symbol":"ACME","price":101.25,"number":123456}"#
    return ContinuousClock().measure {
      for first in stride(from: 0, to: count, by: 1_000) {
        execute("BEGIN IMMEDIATE")
        for number in first..<min(first + 1_000, count) {
          // The bound values live until the step has run.
          "\(first % 4).\(number)".withCString { id in
            body.withCString { body in
              sqlite3_bind_text(statement, 1, id, -1, nil)
              sqlite3_bind_blob(statement, 2, body, Int32(strlen(body)), nil)
              precondition(sqlite3_step(statement) == SQLITE_DONE)
            }
          }
          sqlite3_reset(statement)
        }
        execute("COMMIT")
      }
    }.seconds
  }
}
#endif
