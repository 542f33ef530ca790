#if SQLite
import GRDB

/// The numbers that were made with a file, and that a copy has too: one for its messages, one for its values.
///
/// A process that finds older messages or values than it knows renews the number of these, so that every process begins anew,
/// whatever is written by the time that it looks. The running claims and positions of a store do not depend on its values.
struct StoreIdentity: Sendable, Equatable {
  let messages: String
  let values: String
  private var text: String { "\(messages)-\(values)" }

  private static func makeNumber() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

  /// Nil if a program has emptied all tables, or the file is of an earlier version.
  static func read(_ db: Database) throws -> StoreIdentity? {
    guard let text = try Row.fetchOne(db.cachedStatement(sql: "SELECT id FROM identity"))?.text(0) else { return nil }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    return StoreIdentity(messages: String(parts[0]), values: parts.count > 1 ? String(parts[1]) : "")
  }
  /// Inserts one if there is none.
  static func make(_ db: Database) throws -> StoreIdentity {
    if let identity = try read(db) { return identity }
    return try write(StoreIdentity(messages: makeNumber(), values: makeNumber()), db)
  }
  private static func write(_ identity: StoreIdentity, _ db: Database) throws -> StoreIdentity {
    try db.execute(sql: "DELETE FROM identity")
    try db.execute(sql: "INSERT INTO identity VALUES (?)", arguments: [identity.text])
    return identity
  }

  /// Renews both numbers of a store in which this process knows newer messages. Numbers that it does not know show the others
  /// already that they are to begin anew.
  ///
  /// - Returns: The identity that the store has now.
  static func renew(insteadOf known: StoreIdentity, _ db: Database) throws -> StoreIdentity {
    let current = try make(db)
    if current.messages != known.messages { return current }
    return try write(StoreIdentity(messages: makeNumber(), values: makeNumber()), db)
  }
  /// The same for the values alone.
  static func renewValues(insteadOf known: StoreIdentity, _ db: Database) throws -> StoreIdentity {
    let current = try make(db)
    if current != known { return current }
    return try write(StoreIdentity(messages: current.messages, values: makeNumber()), db)
  }
}
#endif
