#if SQLite
import Foundation
import GRDB
import TidingsRemote

/// A journal's file that is open, and what distinguishes it from another at the same path.
struct JournalFile: Sendable {
  let pool: DatabasePool
  /// The contents when the file was opened.
  let extent: JournalStore.Extent
  /// How many files this process had opened at the path before.
  let count: Int
  private let places: [Place?]
  private struct Place: Equatable {
    let device: dev_t
    let number: ino_t
  }

  /// Written into the header of the file.
  private static let application = 0x7469_6467
  private static let tables: Set = ["subject", "message", "consumer", "claim", "dead", "value"]

  /// Opens the file, and makes it with its tables where there is none.
  ///
  /// SQLite fails without waiting where it would wait for another connection that waits for it: two that open a file while none
  /// has it open both make its write-ahead log. One of them begins again.
  init(
    _ path: String, _ configuration: Configuration, _ durability: Journal.Durability, busy: Duration,
    insteadOf known: JournalFile? = nil
  ) throws {
    count = known.map { $0.count + 1 } ?? 0
    var configuration = configuration
    // Before GRDB changes the mode of a file that is another program's.
    configuration.prepareDatabase { db in try Self.check(db, path) }
    let end = ContinuousClock.now + busy.bounded
    while true {
      do {
        let now = JournalStore.now
        known?.removeLogs(at: path)
        try Self.make(path)
        let before = Self.places(of: path)[0]
        let pool = try DatabasePool(path: path, configuration: configuration)
        // A pool that opens sets NORMAL for its writer, after it has prepared the connection.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL")")
        }
        let extent = try pool.write { [count] db in
          try Self.makeTables(db)
          return try JournalStore.extent(db, count, at: now)
        }
        let places = Self.places(of: path)
        // Otherwise the file was replaced while it was opened, and the pool's may be the one before.
        if let before, places[0] == before {
          (self.pool, self.extent, self.places) = (pool, extent, places)
          return
        }
        guard .now < end else {
          throw TransportError.unavailable("journal: '\(path)' is replaced again and again")
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && .now < end {
        Thread.sleep(forTimeInterval: .random(in: 0.001..<0.01))
      }
    }
  }

  /// Whether the path still leads to this file, and to its log.
  func isAt(_ path: String) -> Bool { places[0] != nil && Self.places(of: path).prefix(2) == places.prefix(2) }
  /// Whether the path leads to this file but to no log or another one. While a connection of this process has it open, SQLite
  /// looks for the frames of the old log in the new one, and fails.
  func hasLostLog(at path: String) -> Bool {
    let now = Self.places(of: path)
    return now[0] != nil && now[0] == places[0] && now[1] != places[1]
  }
  /// Removes logs of this file that are beside one that has replaced it: SQLite would write their frames into the new file.
  private func removeLogs(at path: String) {
    let now = Self.places(of: path)
    if now[0] == places[0] { return }
    for (index, suffix) in Self.suffixes.enumerated().dropFirst() where now[index] != nil && now[index] == places[index]
    {
      unlink(path + suffix)
    }
  }
  private static let suffixes = ["", "-wal", "-shm"]
  private static func places(of path: String) -> [Place?] {
    suffixes.map { suffix in
      let path = path + suffix
      var status = stat()
      return stat(path, &status) == 0 ? Place(device: status.st_dev, number: status.st_ino) : nil
    }
  }

  /// An empty file that its user alone may read, if there is none: SQLite's own would be readable for all.
  ///
  /// Under another name at first: closing a file ends the locks that the process has on it.
  private static func make(_ path: String) throws {
    guard access(path, F_OK) != 0 else { return }
    let new = "\(path).\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(new, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw TransportError.rejected("journal: \(path): \(String(cString: strerror(errno)))")
    }
    close(descriptor)
    _ = link(new, path)
    unlink(new)
  }

  private static func check(_ db: Database, _ path: String) throws {
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if application == Self.application { return }
    let names = try String.fetchSet(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'")
    // One of an earlier version has no number in its header.
    guard application == 0, names.isEmpty || names.isSuperset(of: Self.tables) else {
      throw TransportError.rejected("journal: '\(path)' is the database of another program")
    }
  }

  private static func makeTables(_ db: Database) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard version <= 1 else { throw TransportError.rejected("the journal is of version \(version), this reads 1") }
    // Later additions, which processes with an earlier version of the library ignore. `removed` has the place of the last kept
    // message of a subject that retention has removed.
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS removed (subject INTEGER PRIMARY KEY, place INTEGER NOT NULL);
        PRAGMA application_id = \(application)
        """)
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
        -- due: a time, or 0 when its process ended.
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
}
#endif
