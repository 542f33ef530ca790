#if SQLite
import Foundation
import GRDB
import GRDBSQLite
import TidingsRemote

/// One statement of a transaction that is executed for many rows, bound through SQLite's own functions: GRDB's arguments make an
/// array of boxed values for each row, which took longer than the insertion.
///
/// The statement is GRDB's and is used on the connection's queue alone, within the call that was given the connection.
struct BulkInsert {
  private let db: Database
  private let statement: Statement
  private var handle: OpaquePointer { statement.sqliteStatement }
  /// Says that SQLite copies what is bound: its `SQLITE_TRANSIENT`, which is a cast in C.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ db: Database, sql: String) throws {
    self.db = db
    statement = try db.cachedStatement(sql: sql)
    sqlite3_reset(statement.sqliteStatement)
  }

  func bind(_ index: Int32, _ value: Int64) throws { try check(sqlite3_bind_int64(handle, index, value)) }

  func bind(_ index: Int32, _ value: String?) throws {
    guard var value else {
      return try check(sqlite3_bind_null(handle, index))
    }
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        sqlite3_bind_text(handle, index, bytes.baseAddress, Int32(clamping: bytes.count), Self.copied)
      }
    }
    try check(code)
  }

  func bind(_ index: Int32, _ value: Data) throws {
    let code = value.withUnsafeBytes { bytes in
      // A null pointer would be bound as NULL.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(handle, index, 0)
      }
      return sqlite3_bind_blob(handle, index, start, Int32(clamping: bytes.count), Self.copied)
    }
    try check(code)
  }

  /// - Throws: `DatabaseError`, as GRDB's own statements do.
  func execute() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE else { throw failure(code) }
    sqlite3_reset(handle)
  }

  /// A value that is too large for SQLite is not bound; without the error the row would have the value of the row before it.
  private func check(_ code: Int32) throws { if code != SQLITE_OK { throw failure(code) } }
  private func failure(_ code: Int32) -> DatabaseError {
    let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
    sqlite3_reset(handle)
    return DatabaseError(resultCode: ResultCode(rawValue: code & 0xFF), message: message)
  }
}
#endif
