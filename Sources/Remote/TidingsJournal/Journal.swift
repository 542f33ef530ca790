#if SQLite
public import Foundation
import GRDB
public import TidingsRemote

/// A file that processes of one machine share: events, kept events and values, without a server.
///
/// ```swift
/// let journal = try Journal(path)
/// let relay = Relay(journal, name: "billing-2", namespace: "shop")
/// ```
///
/// Every message is written to the file (SQLite, with a write-ahead log), in one order that restarts do not break. A process that
/// writes wakes the other processes by a byte in a named pipe in the folder `events.db.bells`; they do not poll, but look every
/// half a second in case a process was killed before it could send. Then they also notice that the file was deleted, replaced or
/// restored: they report it once and begin anew with what is at the path. Messages that a killed process had claimed are given to
/// another when no process has its pipe open. All processes run on one machine and may write to the file and the folder.
///
/// A transaction that has returned survives the end of its process. Whether it survives a loss of power is up to the disk and
/// to ``Durability``.
public final class Journal: RemoteTransport {
  /// The condition that a commit waits for.
  public enum Durability: Sendable {
    /// The operating system has it: it survives the end of the process, not every loss of power.
    case process
    /// The disk has said that it has it.
    case power
  }

  /// How much of what has happened is kept. What a consumer has yet to handle is always kept.
  ///
  /// Observers do not hold messages back. Those that are removed before an observer has received them are counted and reported
  /// (`missed`), and ``TidingsRemote/KeptEvent/arrivals`` marks their place.
  public struct Retention: Sendable {
    let count: Int?
    let age: Duration?
    public static var everything: Retention { Retention(count: nil, age: nil) }
    /// The newest messages of all subjects together.
    ///
    /// - Parameter count: How many.
    public static func newest(_ count: Int) -> Retention { Retention(count: count, age: nil) }
    /// Messages until they are so old.
    ///
    /// - Parameter age: How old.
    public static func age(_ age: Duration) -> Retention { Retention(count: nil, age: age) }
  }

  let store: JournalStore
  private let bell: WakePipe
  private let tail: JournalTail
  private let retention: Retention

  /// Opens a file, or makes it.
  ///
  /// - Parameters:
  ///   - path: The file. Its folder and name may be as long as the system allows.
  ///   - durability: What a commit waits for.
  ///   - retention: What ``prune()`` keeps; it runs at the opening and every 10,000 messages that this process writes.
  ///   - busy: How long a lock that another program holds on the file is waited for, before it is reported.
  ///   - maximumSize: How many bytes the file may have for this process; beyond, writing fails as on a full disk.
  ///   - makesFolder: Whether the file's folder is made if it does not exist.
  /// - Throws: ``/TidingsRemote/TransportError`` if the folder does not exist, or the file cannot be opened, is the database of another
  ///   program, or is a journal of a later version.
  public init(
    _ path: String, durability: Durability = .process, retention: Retention = .everything, busy: Duration = .seconds(5),
    maximumSize: Int? = nil, makesFolder: Bool = false
  ) throws {
    self.retention = retention
    do {
      try Self.checkFolder(of: path, isMade: makesFolder)
      bell = WakePipe(in: path + ".bells")
      store = try JournalStore(path, durability, busy: busy, maximumSize: maximumSize, owner: bell.name)
      try bell.make()
    } catch { throw JournalStore.error(error) }
    tail = JournalTail(store, bell)
    _ = try? prune()
  }

  private static func checkFolder(of path: String, isMade: Bool) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue { return }
    guard isMade else { throw TransportError.rejected("journal: the folder '\(folder)' does not exist") }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  public func open(_ report: @escaping @Sendable (TransportReport) -> Void) {
    tail.open(report)
    report(.state(.connected(store.path)))
  }

  public func publish(_ messages: [RemoteMessage]) async throws { try await add(messages, kept: false) }
  public func store(_ messages: [RemoteMessage]) async throws { try await add(messages, kept: true) }

  private func add(_ messages: [RemoteMessage], kept: Bool) async throws {
    try tail.checkOpen()
    while true {
      do {
        if try await store.add(messages, kept: kept) { _ = try? prune() }
        return tail.changed()
      } catch TransportError.unavailable(let reason) where !kept && !tail.isClosed {
        // The file is locked by another program. What is emitted meanwhile waits in the relay's buffer.
        tail.report(.failure(.transport(reason)))
      }
    }
  }

  public func subscribe(
    to subject: String, kept: Bool, missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription {
    try tail.checkOpen()
    return tail.subscribe(subject, after: try store.end(of: subject), marking: kept ? missed : nil, receive)
  }

  public func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage] {
    let signal = tail.makeSignal()
    while true {
      try tail.checkOpen()
      try Task.checkCancellation()
      let (claimed, next) = try await store.claim(limit, subject, consumer, isAlive: bell.isAlive)
      if !claimed.isEmpty { return claimed }
      if let next { tail.ring(signal, after: next) }
      await signal.wait()
    }
  }

  public func begin(_ claimed: ClaimedMessage, of subject: String, as consumer: String) async throws {
    try tail.checkOpen()
    try await store.begin(claimed, subject, consumer)
  }

  public func settle(
    _ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String
  ) async throws {
    try tail.checkOpen()
    // Others are woken only for what is there for them.
    if try await store.settle(outcomes, subject, consumer) { tail.changed() }
  }

  public func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage] {
    try tail.checkOpen()
    return try await store.deadMessages(subject, consumer)
  }
  public func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws {
    try tail.checkOpen()
    try await store.putBack(sequences, subject, consumer)
    tail.changed()
  }

  public func removeConsumer(_ consumer: String, of subject: String) async throws {
    try tail.checkOpen()
    try await store.removeConsumer(consumer, subject)
    tail.changed()
  }

  public func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer {
    try tail.checkOpen()
    let answer = try await store.write(body, key, expecting: revision)
    if case .written = answer { tail.changed() }
    return answer
  }

  public func watch(
    _ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void
  ) throws -> TransportSubscription {
    try tail.checkOpen()
    return tail.watch(key, receive)
  }

  public func close() async {
    await tail.close()
    await store.release()
    bell.close()
    tail.changed()
    store.close()
  }

  // MARK: Care

  /// Deletes what need not be kept; the file's pages are used again.
  ///
  /// - Returns: How many messages were deleted.
  /// - Throws: ``/TidingsRemote/TransportError``.
  /// - Complexity: O(*n*) in the number of messages deleted.
  @discardableResult
  public func prune() throws -> Int { try store.prune(retention) }

  /// Checks the whole file (SQLite's `integrity_check`).
  ///
  /// - Returns: What is wrong with it; nothing if it is sound.
  /// - Throws: ``/TidingsRemote/TransportError`` if the file cannot be read.
  /// - Complexity: O(*n*) in the size of the file.
  public func integrityCheck() throws -> [String] { try store.integrityCheck() }
}
#endif
