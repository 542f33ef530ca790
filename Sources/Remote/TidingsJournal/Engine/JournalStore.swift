#if SQLite
import Foundation
import GRDB
import Synchronization
import Tidings
import TidingsRemote

/// The file: tables and transactions. It knows nothing of other processes but what they have written.
final class JournalStore: Sendable {
  let path: String
  let owner: String
  private let busy: Duration
  private let configuration: Configuration
  private let durability: Journal.Durability
  private let file: Lock<JournalFile>
  /// This process's knowledge of the store, from its last look and from its transactions since.
  private struct Known {
    var identity: StoreIdentity
    /// The last message that it has stored, claimed or found there.
    var sequence: Int64
  }
  private let known: Lock<Known>
  private let isClosed = Atomic(false)
  /// The contents when this process opened the store.
  let first: Extent
  var pool: DatabasePool { file.withLock { $0.pool } }

  init(_ path: String, _ durability: Journal.Durability, busy: Duration, maximumSize: Int?, owner: String) throws {
    // A relative path would lead to another file when the process changes its folder.
    let path = URL(fileURLWithPath: path).path
    (self.path, self.owner, self.busy, self.durability) = (path, owner, busy, durability)
    var configuration = Configuration()
    configuration.label = "Tidings.Journal"
    // GRDB's default is to fail immediately when another process writes.
    configuration.busyMode = .timeout(Double(min(busy, .seconds(86_400)).milliseconds) / 1_000)
    configuration.prepareDatabase { db in
      if let maximumSize { try db.execute(sql: "PRAGMA max_page_count = \(max(1, maximumSize / 4_096))") }
    }
    self.configuration = configuration
    let file = try JournalFile(path, configuration, durability, busy: busy)
    first = file.extent
    self.file = Lock(file)
    known = Lock(Known(identity: first.identity, sequence: first.sequence))
  }

  /// The file that is at the path now: one that was deleted or replaced is no longer used.
  private func current() throws -> JournalFile {
    let known = file.withLock { $0 }
    if known.isAt(path) { return known }
    let hasLostLog = known.hasLostLog(at: path)
    if hasLostLog { try known.pool.close() }
    let new: JournalFile
    do {
      new = try JournalFile(path, configuration, durability, busy: busy, insteadOf: known)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR && hasLostLog {
      // Another process or journal has yet to notice it, and to close the file with the index of the log.
      throw TransportError.unavailable("journal: '\(path)' has lost its log")
    }
    return file.withLock { file in
      if file.pool === known.pool { file = new }
      return file
    }
  }

  /// The facts by which a process recognizes that a store is a different or an older one than before.
  struct Extent: Sendable {
    var identity: StoreIdentity
    /// How many files this process had opened at the path before. One that was restored has the identity that it had.
    let count: Int
    var sequence: Int64
    let change: Int64
    /// A time at which it held no more.
    let time: Int64
  }
  func extent() async throws -> Extent {
    // Before the file is opened, which takes a while: what is stored from now on is after that time.
    let now = Self.now
    let file = try translating { try current() }
    let count = file.count
    let extent = try await run(on: file.pool) { pool in
      try await pool.read { db in try StoreIdentity.read(db).map { try Self.extent(db, $0, count, at: now) } }
    }
    if let extent { return extent }
    // A program has emptied all tables.
    return try await write { db in try Self.extent(db, count, at: now) }
  }
  /// Makes an identity if the store has none.
  static func extent(_ db: Database, _ count: Int, at time: Int64) throws -> Extent {
    try extent(db, StoreIdentity.make(db), count, at: time)
  }
  private static func extent(
    _ db: Database, _ identity: StoreIdentity, _ count: Int, at time: Int64
  ) throws -> Extent {
    let change = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT max(change) FROM value WHERE change < \(StoreNumber.largest)"))
    return Extent(
      identity: identity, count: count, sequence: try lastSequence(db), change: Int64(change?.number(0) ?? 0),
      time: time)
  }

  /// The position of the last message that was stored before a time.
  func position(before time: Int64) async throws -> Int64 {
    try await read { db in
      // Not max(seq), for which SQLite reads every message.
      let row = try Row.fetchOne(
        db, sql: "SELECT seq FROM message WHERE time < ? AND \(Self.isNumbered) ORDER BY seq DESC LIMIT 1",
        arguments: [time])
      return Int64(row?.number(0) ?? 0)
    }
  }

  /// Begins anew in a store that is another one, or has older messages: no claim in it is known to this process, and no consumer is
  /// past its end.
  ///
  /// - Parameter identity: The identity of which this process knows newer contents.
  /// - Returns: The identity that the store has now.
  func adopt(insteadOf identity: StoreIdentity) async throws -> StoreIdentity {
    let owner = owner
    let new = try await write { db in
      let new = try StoreIdentity.renew(insteadOf: identity, db)
      try db.execute(sql: "UPDATE claim SET owner = NULL, due = 0 WHERE owner = ?", arguments: [owner])
      let last = try Self.lastSequence(db)
      try Self.forget(after: last, db)
      return Known(identity: new, sequence: last)
    }
    known.withLock { $0 = new }
    return new.identity
  }
  /// Begins anew with the values alone: the messages are those that this process knows, and so are its claims.
  ///
  /// - Parameter identity: The identity of which this process knows newer values.
  /// - Returns: The identity that the store has now.
  func adoptValues(insteadOf identity: StoreIdentity) async throws -> StoreIdentity {
    let new = try await write { db in try StoreIdentity.renewValues(insteadOf: identity, db) }
    // A file that came to the path meanwhile is found at the next look.
    guard new.messages == identity.messages else { return identity }
    known.withLock { $0.identity = new }
    return new
  }

  /// No consumer has come past the end, and messages that come under the numbers after it are others.
  private static func forget(after last: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE consumer SET position = 0 WHERE position > ?", arguments: [last])
    for table in ["claim", "dead"] { try db.execute(sql: "DELETE FROM \(table) WHERE seq > ?", arguments: [last]) }
  }

  // MARK: Knowledge
  /// Read before the store is: it holds at least that much then, unless it was emptied or replaced.
  var knownSequence: Int64 { known.withLock { $0.sequence } }
  var knownIdentity: StoreIdentity { known.withLock { $0.identity } }

  /// Remembers a message that a transaction has stored or read.
  ///
  /// - Parameter identity: The one that was known when the transaction began. Of a store that was abandoned since nothing counts.
  func remember(_ sequence: Int64, in identity: StoreIdentity) {
    known.withLock { known in
      if known.identity.messages == identity.messages { known.sequence = max(known.sequence, sequence) }
    }
  }

  /// Begins anew if a transaction stores its first message under a number that was given before: in the same transaction, because
  /// later looks would find as many messages as before.
  ///
  /// - Returns: The identity that is known.
  func checkNumber(_ first: Int64, _ db: Database) throws -> StoreIdentity {
    let known = known.withLock { $0 }
    if first <= known.sequence {
      _ = try StoreIdentity.renew(insteadOf: known.identity, db)
      try Self.forget(after: first - 1, db)
    }
    return known.identity
  }

  func close() {
    isClosed.store(true, ordering: .releasing)
    try? pool.close()
  }

  func integrityCheck() throws -> [String] {
    try translating {
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
  func translating<R>(_ body: () throws -> R) throws -> R { do { return try body() } catch { throw translated(error) } }
  /// Without `closed`, which ends consumers for good, where a file alone was closed because another one is at the path.
  private func translated(_ error: any Error) -> any Error {
    let error = Self.error(error)
    guard error as? TransportError == .closed, !isClosed.load(ordering: .acquiring) else { return error }
    return TransportError.unavailable("journal: '\(path)' was replaced")
  }

  /// A transaction that a cancelled task does not interrupt: it would be unknown whether it was committed.
  ///
  /// - Throws: ``TransportError``; `unavailable` when the file is no longer at its path, where no process will see the transaction.
  func write<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
    let file = try translating { try current() }
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
    do { return try await running.value } catch { throw translated(error) }
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
#endif
