#if SQLite
import Foundation
import GRDB
import RemoteTestSupport
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@testable import TidingsJournal

/// A file that other programs, cleaners and operators change while processes use it.
@Suite("The journal's file", .timeLimit(.minutes(10)), .serialized)
struct JournalIdentityTests {
  let folder: Folder
  var path: String { folder.path + "/journal.db" }
  var bells: String { path + ".bells" }
  init() throws { folder = try Folder() }

  func relay(_ name: String = "shop") throws -> Relay {
    Relay(try Journal(path), name: name, namespace: "test")
  }
  func execute(_ sql: String) throws {
    // The default is to fail immediately when the journal writes.
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
  }
  func files(_ suffix: String = "") -> [String] { ["", "-wal", "-shm"].map { path + suffix + $0 } }

  @Test(
    "A value in a store that was emptied or restored is decided by its rule, on all sides, and close returns",
    arguments: [false, true])
  func values(isRestored: Bool) async throws {
    let relays = try [relay("a"), relay("b")]
    let failures = relays.map { $0.failures.record() }
    let sums = relays.map {
      $0.value("sum", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
    }
    let names = relays.map { $0.value("name", initially: "") }
    func write(_ sum: Int, _ name: String) async throws {
      sums[0].set(sum)
      names[0].set(name)
      try await sums[0].settle()
      try await names[0].settle()
      #expect(await eventually { sums[1].value == sum && names[1].value == name })
    }
    try await write(3, "old")
    try execute("CREATE TABLE backup AS SELECT * FROM value")
    try await write(10, "kept")
    try execute("DELETE FROM value" + (isRestored ? "; INSERT INTO value SELECT * FROM backup" : ""))
    let first = isRestored ? 3 : 0
    // Without a conflict rule the processes' value is written again; the sum begins with that of the store.
    #expect(await eventually { sums.allSatisfy { $0.value == first && $0.isSettled.value } })
    sums[1].update { $0 += 5 }
    #expect(await eventually { sums.allSatisfy { $0.value == first + 5 && $0.isSettled.value } })
    let third = try relay("c")
    let (sum, name) = (third.value("sum", initially: 0), third.value("name", initially: ""))
    #expect(await eventually { sum.value == first + 5 && name.value == "kept" })
    #expect(failures.contains { $0.values.contains { "\($0)".contains("older") } })
    for relay in relays + [third] { await relay.close() }
  }

  @Test("In a file that was deleted or replaced, send stores what processes find, and observers receive it")
  func replaced() async throws {
    let (sender, receiver) = (try relay("sender"), try relay("receiver"))
    let placed = sender.event("orders.placed", of: Int.self, delivery: .kept)
    let received = receiver.event("orders.placed", of: Int.self, delivery: .kept)
    let (seen, failures) = (received.record(), receiver.failures.record())
    for number in 1...20 { try await placed.send(number) }
    #expect(await seen.values(atLeast: 20) == Array(1...20))
    let backup = try DatabaseQueue(path: path + ".backup")
    let source = try DatabaseQueue(path: path)
    try source.backup(to: backup)
    try source.close()
    try backup.close()
    for number in 21...40 { try await placed.send(number) }
    _ = await seen.values(atLeast: 40)
    for file in files() { try? FileManager.default.removeItem(atPath: file) }
    for number in 41...45 { try await placed.send(number) }
    #expect(await seen.values(atLeast: 45) == Array(1...45))
    let fresh = try Journal(path)
    var stored: [Int] = []
    for try await message in fresh.replay("orders.placed", of: Int.self, namespace: "test") {
      stored.append(message.payload)
    }
    #expect(stored == Array(41...45))
    await fresh.close()
    // Older than the processes know: positions after 40 do not exist.
    repeat {
      for file in files() { try? FileManager.default.removeItem(atPath: file) }
      // A process that looks meanwhile makes the file again.
    } while link(path + ".backup", path) != 0 && errno == EEXIST
    for number in 46...50 { try await placed.send(number) }
    #expect(await eventually { seen.values.suffix(5) == Array(46...50) })
    await sender.close()
    await receiver.close()
    // The second within a minute is counted, and reported at the end.
    #expect(failures.values.filter { "\($0)".contains("than before") }.count == 2, "\(failures.values)")
  }

  private func message(_ number: Int) -> RemoteMessage {
    RemoteMessage(
      subject: "test.a", id: "\(number)", origin: "o", schema: "Int", version: 1, body: Data("\(number)".utf8))
  }
  private func messages(_ numbers: ClosedRange<Int>) -> [RemoteMessage] { numbers.map(message) }
  private func backUp() throws {
    let (source, backup) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path + ".backup"))
    try source.backup(to: backup)
    try source.close()
    try backup.close()
  }
  private func stored() async throws -> [Int] {
    let journal = try Journal(path)
    var stored: [Int] = []
    for try await message in journal.replay("a", of: Int.self, namespace: "test") { stored.append(message.payload) }
    #expect(try journal.integrityCheck() == [])
    await journal.close()
    return stored
  }

  @Test("A restored file is noticed although it holds more than before when a process looks")
  func overtaken() async throws {
    let (first, second, reports) = (try Journal(path), try Journal(path), Recorder<String>())
    try await first.store(messages(1...3))
    try backUp()
    await first.close()
    for file in files() { try FileManager.default.removeItem(atPath: file) }
    try FileManager.default.moveItem(atPath: path + ".backup", toPath: path)
    let third = try Journal(path)
    try await third.store(messages(4...9))
    second.open { reports("\($0)") }
    #expect(await eventually { reports.values.contains { $0.contains("another file") } })
    await second.close()
    await third.close()
  }

  @Test("A file whose log alone was removed is used again, with what it held")
  func lostLog() async throws {
    let journal = try Journal(path)
    try await journal.store(messages(1...2))
    try FileManager.default.removeItem(atPath: path + "-wal")
    try await journal.store([message(3)])
    #expect(try await stored() == [1, 2, 3])
    await journal.close()
  }

  @Test("All that use a file whose log was removed use it again")
  func lostSharedLog() async throws {
    let relays = try [relay("a"), relay("b")]
    let placed = relays.map { $0.event("a", of: Int.self, delivery: .kept) }
    for number in 1...2 { try await placed[0].send(number) }
    try FileManager.default.removeItem(atPath: path + "-wal")
    try await placed[0].send(3)
    try await placed[1].send(4)
    // The first two were in the log that was removed; not every order of closing saves them.
    #expect(try await stored().suffix(2) == [3, 4])
    for relay in relays { await relay.close() }
  }

  @Test("The log of a file is not written into one that was moved over it")
  func movedOver() async throws {
    let journal = try Journal(path)
    try await journal.store(messages(1...2))
    try backUp()
    try await journal.store(messages(3...20))
    #expect(rename(path + ".backup", path) == 0)
    try await journal.store([message(21)])
    #expect(try await stored() == [1, 2, 21])
    await journal.close()
  }

  @Test("What send has acknowledged is in the file at the path, also when that was deleted while send waited for it")
  func deletedMeanwhile() async throws {
    for round in 1...3 {
      let sender = Relay(try Journal(path, busy: .seconds(2)), name: "sender", namespace: "test")
      let placed = sender.event("orders.placed", of: Int.self, delivery: .kept)
      try await placed.send(1)
      let failures = sender.failures.record()
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let blocking = try DatabaseQueue(path: path, configuration: configuration)
      try blocking.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let sending = Task { try await placed.send(2) }
      // The report shows that it has waited; then it waits again.
      _ = await failures.values(atLeast: 1)
      let reported = ContinuousClock.now
      _ = await eventually { .now - reported > .milliseconds(100 * round) }
      for file in files() { try? FileManager.default.removeItem(atPath: file) }
      try blocking.inDatabase { try $0.execute(sql: "ROLLBACK") }
      try blocking.close()
      try await sending.value
      let fresh = try Journal(path)
      var stored: [Int] = []
      for try await message in fresh.replay("orders.placed", of: Int.self, namespace: "test") {
        stored.append(message.payload)
      }
      #expect(stored == [2])
      await fresh.close()
      await sender.close()
      for file in files() { try? FileManager.default.removeItem(atPath: file) }
    }
  }
}
#endif
