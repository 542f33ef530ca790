#if SQLite
import Foundation
import GRDB
import RemoteTestSupport
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@testable import TidingsJournal

/// Rows that other programs put into the tables, and rows that are too large for them.
@Suite("The journal's tables", .timeLimit(.minutes(10)), .serialized)
struct JournalForeignTests {
  private let folder: Folder
  private var path: String { folder.path + "/journal.db" }
  init() throws { folder = try Folder() }

  private func relay() throws -> Relay { Relay(try Journal(path), name: "shop", namespace: "test") }
  private func execute(_ sql: String) throws {
    // The default is to fail immediately when the journal writes.
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.foreignKeysEnabled = false
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
  }
  private func query(_ sql: String) throws -> String? {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? other.close() }
    return try other.read { try String.fetchOne($0, sql: sql) }
  }
  private func message(_ number: Int) -> RemoteMessage {
    RemoteMessage(
      subject: "test.a", id: "\(number)", origin: "o", schema: "Int", version: 1, body: Data("\(number)".utf8))
  }

  @Test("Rows under numbers out of bounds are no messages, and send says that the numbers are used up")
  func numbers() async throws {
    let journal = try Journal(path)
    let relay = Relay(journal, name: "shop", namespace: "test")
    let placed = relay.event("a", of: Int.self, delivery: .kept)
    let (seen, handled) = (placed.record(), Recorder<Int>())
    try await placed.send(1)
    _ = await seen.values(atLeast: 1)
    for number in ["-5", "4611686018427387904"] {
      try execute(
        """
        INSERT INTO message VALUES (\(number), 1, '\(number)', 'o', 0, 0, 'Int', 1, 0, x'37');
        INSERT INTO claim VALUES ('billing', 1, \(number), 1, NULL, 0);
        INSERT INTO dead VALUES ('shipping', 1, \(number), 'x');
        """)
    }
    placed.handle(as: "billing") { handled($0) }
    #expect(await handled.values(atLeast: 1) == [1])
    await #expect {
      try await placed.send(2)
    } throws: {
      "\($0)".contains("used up")
    }
    #expect(try await placed.deadLetters(of: "shipping").isEmpty)
    try await placed.putBack(try await placed.deadLetters(of: "shipping"), to: "shipping")
    var stored: [Int] = []
    for try await message in journal.replay("a", of: Int.self, namespace: "test") { stored.append(message.payload) }
    #expect(stored == [1])
    try execute("DELETE FROM message WHERE seq > 1; UPDATE sqlite_sequence SET seq = 1 WHERE name = 'message'")
    try await placed.send(3)
    #expect(await seen.values(atLeast: 2) == [1, 3])
    #expect(await handled.values(atLeast: 2) == [1, 3])
    await relay.close()
  }

  @Test("A consumer that is put back to the beginning is given no message that is claimed, or that waits")
  func position() async throws {
    let (first, second) = (try Journal(path), try Journal(path))
    for journal in [first, second] { journal.open { _ in } }
    try await first.store([message(1), message(2)])
    let claimed = try await first.claim(2, of: "test.a", as: "billing")
    try await first.settle([(claimed[1], .retry(after: .seconds(3_000)))], of: "test.a", as: "billing")
    try execute("DELETE FROM consumer")
    try await first.store([message(3)])
    #expect(try await second.claim(9, of: "test.a", as: "billing").map(\.message.id) == ["3"])
    await first.close()
    await second.close()
  }

  @Test(
    "After the messages were deleted with their numbers, the claims and dead letters of old ones concern no new one")
  func emptied() async throws {
    let relay = try relay()
    let placed = relay.event("a", of: Int.self, delivery: .kept(attempts: 1))
    let waiting = relay.event("a", of: Int.self, delivery: .kept(retryDelay: .seconds(3_000)))
    let (seen, failures) = (placed.record(), relay.failures.record())
    let (dying, delayed) = (Recorder<Int>(), Recorder<Int>())
    let first = placed.handle(as: "billing") { number in
      dying(number)
      throw CancellationError()
    }
    let second = waiting.handle(as: "shipping") { number in
      delayed(number)
      throw CancellationError()
    }
    for number in 1...3 { try await placed.send(number) }
    _ = await seen.values(atLeast: 3)
    _ = await dying.values(atLeast: 3)
    _ = await delayed.values(atLeast: 3)
    await first.finish()
    await second.finish()
    #expect(try await placed.deadLetters(of: "billing").count == 3)
    try execute("DELETE FROM message; DELETE FROM sqlite_sequence")
    #expect(await eventually { failures.values.contains { "\($0)".contains("older or emptied") } })
    for number in 4...6 { try await placed.send(number) }
    #expect(try await placed.deadLetters(of: "billing").isEmpty)
    let handled = Recorder<Int>()
    waiting.handle(as: "shipping") { handled($0) }
    #expect(await handled.values(atLeast: 3) == [4, 5, 6])
    await relay.close()
  }

  @Test("Messages that take the numbers of deleted ones before any process looks are new, in every process")
  func overtaken() async throws {
    let (first, second, reports) = (try Journal(path), try Journal(path), Recorder<String>())
    try await first.store([message(1), message(2), message(3)])
    let claimed = try await first.claim(9, of: "test.a", as: "billing")
    try await first.settle(claimed.map { ($0, .dead(reason: "x")) }, of: "test.a", as: "billing")
    _ = try second.subscribe(to: "test.a", kept: true) { _ in .more }
    try execute("DELETE FROM message; DELETE FROM sqlite_sequence")
    try await first.store([message(4), message(5), message(6)])
    try #require(try await first.deadMessages(of: "test.a", as: "billing").isEmpty)
    #expect(try await first.claim(9, of: "test.a", as: "billing").map(\.message.id) == ["4", "5", "6"])
    second.open { reports("\($0)") }
    #expect(await eventually { reports.values.contains { $0.contains("than before") } })
    await first.close()
    await second.close()
  }

  @Test("Deleted values are noticed in every process, also when others are written before it looks")
  func overtakenValues() async throws {
    let first = try Journal(path)
    var revisions: [UInt64] = []
    for key in ["a", "b"] {
      if case .written(let revision) = try await first.write(Data(), to: key, expecting: 0) {
        revisions.append(revision)
      }
    }
    let (second, reports) = (try Journal(path), Recorder<String>())
    let identity = try query("SELECT id FROM identity")
    try execute("DELETE FROM value")
    guard case .conflict(nil) = try await first.write(Data(), to: "b", expecting: revisions[1]) else {
      Issue.record("A value that was deleted was found.")
      return
    }
    guard case .written(let revision) = try await first.write(Data(), to: "b", expecting: 0) else { return }
    #expect(revision > revisions[1])
    try #require(try query("SELECT id FROM identity") != identity)
    second.open { reports("\($0)") }
    #expect(await eventually { reports.values.contains { $0.contains("older values") } })
    await first.close()
    await second.close()
  }

  @Test("Where values alone were deleted, processes keep their claims and observers are given no message again")
  func valuesAlone() async throws {
    let first = try Journal(path)
    _ = try await first.write(Data(), to: "a", expecting: 0)
    let (second, reports, seen) = (try Journal(path), Recorder<String>(), Recorder<String>())
    try await first.store([message(1)])
    _ = try await second.claim(1, of: "test.a", as: "billing")
    let subscription = try second.subscribe(to: "test.a", kept: true) { messages in
      for message in messages { seen(message.id) }
      return .more
    }
    try execute("DELETE FROM value")
    second.open { reports("\($0)") }
    #expect(await eventually { reports.values.contains { $0.contains("older") } })
    #expect(try query("SELECT owner FROM claim") != nil)
    try await first.store([message(2)])
    #expect(await eventually { seen.values.contains("2") })
    #expect(seen.values == ["2"])
    withExtendedLifetime(subscription) {}
    await first.close()
    await second.close()
  }

  @Test("A claimed message whose subject is missing is not waited for")
  func subject() async throws {
    let journal = try Journal(path)
    try await journal.store([message(1)])
    _ = try await journal.claim(1, of: "test.a", as: "billing")
    try execute("UPDATE message SET subject = 9; UPDATE claim SET owner = NULL")
    let (claimed, next) = try await journal.store.claim(1, "test.a", "billing") { _ in true }
    #expect(claimed.isEmpty && next == nil)
    await journal.close()
  }

  @Test("The end of the messages and the last change are those that are read, whatever the tables say")
  func ends() async throws {
    let journal = try Journal(path)
    try await journal.store([message(1), message(2)])
    try execute(
      """
      UPDATE sqlite_sequence SET seq = 1 WHERE name = 'message';
      INSERT INTO value VALUES ('foreign', 1, \(1 << 60), x'37');
      """)
    #expect(try journal.store.end(of: "test.a").sequence == 2)
    #expect(try await journal.store.keys(changedAfter: 0).last == journal.store.extent().change)
    await journal.close()
  }

  @Test("Kept messages of a subject are numbered without gaps, over duplicates, restarts and the removal of all")
  func places() async throws {
    for run in 0..<3 {
      let journal = try Journal(path, retention: .newest(0))
      #expect(try query("SELECT CAST(count(*) AS TEXT) FROM message") == "0")
      #expect(try journal.store.end(of: "test.a").place == Int64(run * 3))
      var other = message(0)
      other.subject = "test.b"
      try await journal.store([message(run * 3), other, message(run * 3 + 1), message(run * 3)])
      try await journal.publish([other])
      try await journal.store([message(run * 3 + 2)])
      let places = (1...3).map { "\(run * 3 + $0)" }.joined(separator: ",")
      let sql = "SELECT group_concat(number) FROM message JOIN subject ON key = subject WHERE name = 'test.a'"
      #expect(try query(sql) == places)
      await journal.close()
    }
  }

  @Test("Messages that an earlier version has stored, which numbered none, are given without a mark")
  func earlierVersion() async throws {
    let (journal, seen, gaps) = (try Journal(path), Recorder<String>(), Recorder<Int?>())
    try await journal.store([message(1), message(2)])
    let missed: @Sendable (Int?) -> Void = { gaps($0) }
    let subscription = try journal.subscribe(to: "test.a", kept: true, missed: missed) { messages in
      for message in messages { seen(message.id) }
      return .more
    }
    for number in 3...4 {
      try execute(
        """
        INSERT INTO message (subject, id, origin, number, hops, schema, version, time, body)
        VALUES (1, '\(number)', 'o', 0, 0, 'Int', 1, 0, x'37')
        """)
    }
    try await journal.store([message(5), message(6)])
    journal.open { _ in }
    #expect(await seen.values(atLeast: 4) == ["3", "4", "5", "6"])
    #expect(gaps.values.isEmpty)
    // Numbers of its own after that show what is removed.
    try execute("DELETE FROM message WHERE id = '6'")
    try execute("UPDATE message SET number = 40 WHERE id = '5'")
    try await journal.store([message(7)])
    #expect(await seen.values(atLeast: 5).last == "7")
    #expect(await gaps.values(atLeast: 1) == [38])
    withExtendedLifetime(subscription) {}
    await journal.close()
  }

  @Test("A message that is larger than SQLite takes is rejected, and the next is stored as it is")
  func size() async throws {
    let relay = try relay()
    let placed = relay.event("a", of: Data.self, schema: .data, delivery: .kept)
    let seen = placed.record()
    for data in [Data("1".utf8), Data(count: 1_000_000_001), Data("2".utf8)] {
      if data.count == 1 {
        try await placed.send(data)
      } else {
        await #expect(throws: TransportError.self) { try await placed.send(data) }
      }
    }
    #expect(await seen.values(atLeast: 2) == [Data("1".utf8), Data("2".utf8)])
    await relay.close()
  }
}
#endif
