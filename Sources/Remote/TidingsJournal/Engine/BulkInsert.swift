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

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  func bind(_ index: Int32, _ value: String?) {
    guard var value else {
      _ = sqlite3_bind_null(handle, index)
      return
    }
    value.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) { bytes in
        sqlite3_bind_text(handle, index, bytes.baseAddress, Int32(bytes.count), Self.copied)
      }
    }
  }

  func bind(_ index: Int32, _ value: Data) {
    value.withUnsafeBytes { bytes in
      // A null pointer would be bound as NULL.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        _ = sqlite3_bind_zeroblob(handle, index, 0)
        return
      }
      _ = sqlite3_bind_blob(handle, index, start, Int32(bytes.count), Self.copied)
    }
  }

  /// - Throws: `DatabaseError`, as GRDB's own statements do.
  func execute() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE else {
      let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
      sqlite3_reset(handle)
      throw DatabaseError(resultCode: ResultCode(rawValue: code & 0xFF), message: message)
    }
    sqlite3_reset(handle)
  }
}
#endif
