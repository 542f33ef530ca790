#if SQLite
import Foundation
import GRDB
import TidingsRemote

/// The file: tables and transactions. It knows nothing of other processes but what they have written.
final class JournalStore: Sendable {
  let path: String
  let owner: String
  let pool: DatabasePool

  init(_ path: String, _ durability: Journal.Durability, busy: Duration, maximumSize: Int?, owner: String) throws {
    (self.path, self.owner) = (path, owner)
    var configuration = Configuration()
    configuration.label = "Tidings.Journal"
    // GRDB's default is to fail immediately when another process writes.
    configuration.busyMode = .timeout(Double(busy.components.seconds) + Double(busy.components.attoseconds) / 1e18)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL")")
      if let maximumSize { try db.execute(sql: "PRAGMA max_page_count = \(max(1, maximumSize / 4_096))") }
    }
    pool = try Self.open(path, configuration, busy: busy)
  }

  /// Opens the file, and makes its tables.
  ///
  /// SQLite fails without waiting where it would wait for another connection that waits for it: two that open a file while none
  /// has it open both make its write-ahead log. One of them begins again.
  private static func open(_ path: String, _ configuration: Configuration, busy: Duration) throws -> DatabasePool {
    let end = ContinuousClock.now + busy
    while true {
      do {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { db in try makeTables(db) }
        return pool
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && .now < end {
        Thread.sleep(forTimeInterval: .random(in: 0.001..<0.01))
      }
    }
  }

  private static func makeTables(_ db: Database) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard version <= 1 else { throw TransportError.rejected("the journal is of version \(version), this reads 1") }
    if version == 1 { return }
    try db.execute(
      sql: """
        CREATE TABLE subject (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE message (
          seq INTEGER PRIMARY KEY AUTOINCREMENT, subject INTEGER NOT NULL REFERENCES subject(key), id TEXT,
          origin TEXT NOT NULL, number INTEGER NOT NULL, hops INTEGER NOT NULL, schema TEXT NOT NULL,
          version INTEGER NOT NULL, time INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE INDEX message_subject ON message(subject, seq);
        CREATE UNIQUE INDEX message_id ON message(subject, id) WHERE id IS NOT NULL;
        CREATE TABLE consumer (
          name TEXT NOT NULL, subject INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (name, subject)
        ) WITHOUT ROWID;
        CREATE TABLE claim (
          consumer TEXT NOT NULL, subject INTEGER NOT NULL, seq INTEGER NOT NULL, attempt INTEGER NOT NULL, owner TEXT,
          due INTEGER NOT NULL, PRIMARY KEY (consumer, subject, seq)) WITHOUT ROWID;
        CREATE TABLE dead (
          consumer TEXT NOT NULL, subject INTEGER NOT NULL, seq INTEGER NOT NULL, reason TEXT NOT NULL,
          PRIMARY KEY (consumer, subject, seq)) WITHOUT ROWID;
        CREATE TABLE value (
          key TEXT PRIMARY KEY, revision INTEGER NOT NULL, change INTEGER NOT NULL UNIQUE, body BLOB NOT NULL);
        PRAGMA user_version = 1;
        """)
  }

  func close() { try? pool.close() }

  func integrityCheck() throws -> [String] {
    try Self.translating {
      try pool.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" } }
    }
  }

  // MARK: Errors
  /// The calls of a transport throw errors of one kind.
  static func error(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else {
      return error is TransportError || error is CancellationError ? error : TransportError.rejected("\(error)")
    }
    let message = "journal: \(error.message ?? "\(error.resultCode)")"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: return TransportError.unavailable("\(message): another program holds a lock")
    case .SQLITE_MISUSE, .SQLITE_ABORT: return TransportError.closed
    default: return TransportError.rejected(message)
    }
  }
  static func translating<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw Self.error(error) }
  }

  /// A transaction that a cancelled task does not interrupt: it would be unknown whether it was committed.
  func write<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
    let pool = pool
    let writing = Task.detached { try await pool.write(body) }
    do { return try await writing.value } catch { throw Self.error(error) }
  }
  func read<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
    let pool = pool
    let reading = Task.detached { try await pool.read(body) }
    do { return try await reading.value } catch { throw Self.error(error) }
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}

extension Duration {
  var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
#endif
