#if SQLite
import Foundation
import GRDB
import Tidings
import TidingsRemote

/// The file: tables and transactions. It knows nothing of other processes but what they have written.
final class JournalStore: Sendable {
  let path: String
  let owner: String
  private let busy: Duration
  private let configuration: Configuration
  private let file: Lock<JournalFile>
  var pool: DatabasePool { file.withLock { $0.pool } }

  init(_ path: String, _ durability: Journal.Durability, busy: Duration, maximumSize: Int?, owner: String) throws {
    (self.path, self.owner, self.busy) = (path, owner, busy)
    var configuration = Configuration()
    configuration.label = "Tidings.Journal"
    // GRDB's default is to fail immediately when another process writes.
    configuration.busyMode = .timeout(Double(min(busy, .seconds(86_400)).milliseconds) / 1_000)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL")")
      if let maximumSize { try db.execute(sql: "PRAGMA max_page_count = \(max(1, maximumSize / 4_096))") }
    }
    self.configuration = configuration
    file = Lock(try JournalFile(path, configuration, busy: busy))
  }

  /// The file that is at the path now: one that was deleted or replaced is no longer used.
  private func current() throws -> JournalFile {
    let known = file.withLock { $0 }
    if known.isAt(path) { return known }
    let new = try JournalFile(path, configuration, busy: busy)
    return file.withLock { file in
      if file.pool === known.pool { file = new }
      return file
    }
  }

  /// The facts by which a process recognizes that a store is a different or an older one than before.
  struct Extent: Sendable {
    var identity: String
    let sequence: Int64
    let change: Int64
    /// When that was so.
    let time: Int64
  }
  func extent() async throws -> Extent {
    let pool = try Self.translating { try current().pool }
    let extent = try await run(on: pool) { pool in try await pool.read { db in try Self.extent(db) } }
    if let extent { return extent }
    // A program has emptied all tables.
    return try await write { db in
      try JournalFile.makeIdentity(db)
      return try Self.extent(db) ?? Extent(identity: "", sequence: 0, change: 0, time: Self.now)
    }
  }
  private static func extent(_ db: Database) throws -> Extent? {
    guard let identity = try JournalFile.identity(db) else { return nil }
    let change = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT max(change) FROM value WHERE change < \(StoreNumber.largest)"))
    return Extent(identity: identity, sequence: try lastSequence(db), change: Int64(change?.number(0) ?? 0), time: now)
  }

  /// The position of the last message that was stored before a time.
  func position(before time: Int64) async throws -> Int64 {
    try await read { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT max(seq) FROM message WHERE time < ? AND \(Self.isNumbered)", arguments: [time])
      return Int64(row?.number(0) ?? 0)
    }
  }

  /// Begins anew in a store that is another one, or an older one: no claim in it is known to this process, and no consumer is
  /// past its end.
  ///
  /// - Parameter known: The identity of which this process knows newer contents. It is replaced, so that the other processes
  ///   begin anew too, whatever is written by the time that they look.
  /// - Returns: The identity that the store has now.
  func adopt(insteadOf known: String) async throws -> String {
    let owner = owner
    return try await write { db in
      try db.execute(sql: "DELETE FROM identity WHERE id = ?", arguments: [known])
      try JournalFile.makeIdentity(db)
      try db.execute(sql: "UPDATE claim SET owner = NULL, due = 0 WHERE owner = ?", arguments: [owner])
      let last = try Self.lastSequence(db)
      try db.execute(sql: "UPDATE consumer SET position = 0 WHERE position > ?", arguments: [last])
      // Messages that come under these numbers are others.
      for table in ["claim", "dead"] { try db.execute(sql: "DELETE FROM \(table) WHERE seq > ?", arguments: [last]) }
      return try JournalFile.identity(db) ?? ""
    }
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
  ///
  /// - Throws: ``TransportError``; `unavailable` when the file is no longer at its path, where no process will see the transaction.
  func write<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
    let file = try Self.translating { try current() }
    let result = try await run(on: file.pool) { pool in try await pool.write(body) }
    if !file.isAt(path) { throw TransportError.unavailable("journal: '\(path)' was deleted or replaced") }
    return result
  }
  func read<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
    try await run(on: pool) { pool in try await pool.read(body) }
  }
  private func run<R: Sendable>(
    on pool: DatabasePool, _ body: @escaping @Sendable (DatabasePool) async throws -> R
  ) async throws -> R {
    let running = Task.detached { try await body(pool) }
    do { return try await running.value } catch { throw Self.error(error) }
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
#endif
