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
  private let folder: Folder
  private var path: String { folder.path + "/journal.db" }
  private var bells: String { path + ".bells" }
  init() throws { folder = try Folder() }

  private func relay(_ name: String = "shop") throws -> Relay {
    Relay(try Journal(path), name: name, namespace: "test")
  }
  private func execute(_ sql: String) throws {
    // The default is to fail immediately when the journal writes.
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
  }
  private func files(_ suffix: String = "") -> [String] { ["", "-wal", "-shm"].map { path + suffix + $0 } }

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

  @Test("A message that a clock that was set has made due in a day is handled now")
  func clocks() async throws {
    let journal = try Journal(path)
    journal.open { _ in }
    try await journal.store([
      RemoteMessage(subject: "a", id: "1", origin: "o", schema: "s", version: 1, body: Data())
    ])
    let claimed = try await journal.claim(1, of: "a", as: "billing")
    try await journal.settle([(claimed[0], .retry(after: .milliseconds(1)))], of: "a", as: "billing")
    try execute("UPDATE claim SET due = due + 86400000000")
    let again = try await journal.claim(1, of: "a", as: "billing")
    #expect(again.map(\.attempt) == [2])
    await journal.close()
  }

  @Test("In the folder of pipes only those of exited processes are removed")
  func pipes() async throws {
    let relay = try relay()
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    let others = ["\(bells)/notes.txt", "\(bells)/1-abc", "\(bells)/x-y"]
    for other in others { #expect(FileManager.default.createFile(atPath: other, contents: Data("keep".utf8))) }
    #expect(mkfifo("\(bells)/1-left", 0o600) == 0)
    #expect(mkfifo("\(bells)/x-left", 0o600) == 0)
    for number in 1...5 { try await placed.send(number) }
    for other in others {
      #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("keep".utf8), "\(other)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(bells)/1-left"))
    #expect(FileManager.default.fileExists(atPath: "\(bells)/x-left"))
    await relay.close()
  }

  @Test("A journal in a folder whose path is longer than a socket's address wakes other processes")
  func longPath() async throws {
    let long = folder.path + "/" + String(repeating: "f", count: 200)
    let (first, second) = (
      try Journal(long + "/journal.db", makesFolder: true), try Journal(long + "/journal.db")
    )
    await first.close()
    await second.close()
    let (woken, waker) = (WakePipe(in: long + "/bells"), WakePipe(in: long + "/bells"))
    try woken.make()
    try waker.make()
    let (wakes, wake) = AsyncStream<Void>.makeStream()
    woken.listen {
      wake.yield()
      return true
    }
    waker.wakeOthers()
    for await _ in wakes { break }
    #expect(waker.isAlive(woken.name))
    woken.close()
    waker.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: long + "/bells") == [])
  }

  @Test("A folder that a cleaner has removed is made again, and its living owners keep what they have claimed")
  func cleaners() async throws {
    let (first, second) = (try Journal(path), try Journal(path))
    first.open { _ in }
    second.open { _ in }
    try await first.store([
      RemoteMessage(subject: "a", id: "1", origin: "o", schema: "s", version: 1, body: Data())
    ])
    let claimed = try await first.claim(1, of: "a", as: "billing")
    try FileManager.default.removeItem(atPath: bells)
    let stealing = Task { try await second.claim(1, of: "a", as: "billing") }
    #expect(
      await eventually { (try? FileManager.default.contentsOfDirectory(atPath: bells).count) == 2 })
    try await first.settle([(claimed[0], .acknowledged)], of: "a", as: "billing")
    stealing.cancel()
    if case .success(let stolen) = await stealing.result { #expect(stolen.isEmpty) }
    await first.close()
    await second.close()
  }

  @Test("A pipe that was closed is not made again by a later look")
  func closedPipe() throws {
    let pipe = WakePipe(in: bells)
    try pipe.make()
    pipe.close()
    try pipe.make()
    #expect(try FileManager.default.contentsOfDirectory(atPath: bells) == [])
  }

  @Test("The file and its logs are readable for their user alone")
  func mode() async throws {
    let journal = try Journal(path)
    for file in files() where FileManager.default.fileExists(atPath: file) {
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(file)")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: bells)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    await journal.close()
  }

  @Test("The database of another program is refused with a sentence and stays as it is")
  func foreign() throws {
    try execute("CREATE TABLE notes (text TEXT); PRAGMA user_version = 1")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect {
      try Journal(path)
    } throws: {
      "\($0)".contains("another program")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("A relative path leads to the same file when the process changes its folder")
  func relative() throws {
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + path.dropFirst()
    let store = try JournalStore(relative, .process, busy: .seconds(5), maximumSize: nil, owner: "x")
    #expect(store.path.hasPrefix("/") && FileManager.default.fileExists(atPath: path))
    store.close()
  }

  @Test("A missing folder is an error, unless it is asked for")
  func missing() async throws {
    let deep = folder.path + "/a/b/journal.db"
    #expect {
      try Journal(deep)
    } throws: {
      "\($0)".contains("does not exist")
    }
    await (try Journal(deep, makesFolder: true)).close()
  }

  @Test("A file of the version before is read, and continued")
  func earlier() async throws {
    let journal = try Journal(path)
    try await journal.store([
      RemoteMessage(subject: "test.a", id: "1", origin: "o", schema: "Int", version: 1, body: Data("1".utf8))
    ])
    await journal.close()
    // As it was: without identity and number, values counted from 1, an attempt counted with the claim.
    try execute(
      """
      DROP TABLE identity; PRAGMA application_id = 0;
      INSERT INTO claim VALUES ('billing', 1, 1, 1, '1-gone', 0); INSERT INTO consumer VALUES ('billing', 1, 1);
      """)
    let relay = try relay()
    let handled = Recorder<Int>()
    relay.event("a", of: Int.self, delivery: .kept).handle(as: "billing") { _, message in handled(message.attempt) }
    #expect(await handled.values(atLeast: 1) == [2])
    await relay.close()
  }

  /// `TIDINGS_SEED` repeats a run.
  @Test("Rows of any content are rejected and reported, and hinder no other message and no other value")
  func rows() async throws {
    let relay = try relay()
    let placed = relay.event("a", of: Int.self, delivery: .kept)
    let live = relay.event("b", of: Int.self)
    let (seen, lived, handled, failures) = (placed.record(), live.record(), Recorder<Int>(), relay.failures.record())
    let value = relay.value("value", initially: 0)
    try await placed.send(1)
    live.emit(0)
    _ = await seen.values(atLeast: 1)
    let seed = ProcessInfo.processInfo.environment["TIDINGS_SEED"].flatMap(UInt64.init) ?? .random(in: 0...0xFFFF_FFFF)
    print("rows: TIDINGS_SEED=\(seed)")
    var state = seed
    let literals = [
      "9223372036854775807", "-9223372036854775808", "-1", "0", "1e300", "'text'", "x'00ff'", "4611686018427387904",
      "'9223372036854775807'",
    ]
    func any() -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return literals[Int((state >> 33) % UInt64(literals.count))]
    }
    var sql = "INSERT OR IGNORE INTO subject VALUES (2, 'test.b');"
    for number in 1...400 {
      let subject = number % 2 + 1
      sql += """
        INSERT INTO message (subject, id, origin, number, hops, schema, version, time, body) VALUES
          (\(subject), 'foreign-\(number)', 'o', \(any()), \(any()), \(any()), \(any()), \(any()), \(any()));
        INSERT OR IGNORE INTO value VALUES ('\(number)', \(any()), \(number) + 1000 * \(number % 2), \(any()));
        INSERT OR IGNORE INTO claim VALUES ('billing', \(subject), \(number), \(any()), NULL, \(any()));
        INSERT OR IGNORE INTO dead VALUES ('shipping', \(subject), \(number), \(any()));

        """
    }
    sql += "INSERT OR IGNORE INTO value VALUES ('test.broken', 'text', 9223372036854775807, 'text');"
    try execute(sql)
    let broken = relay.value("broken", initially: 0)
    placed.handle(as: "billing") { handled($0) }
    try await placed.send(2)
    value.set(7)
    try await value.settle()
    #expect(await eventually { seen.values.contains(2) && handled.values.contains(2) })
    #expect(await eventually { failures.values.contains { "\($0)".contains("not a message of a relay") } })
    _ = try await placed.deadLetters(of: "shipping")
    broken.set(1)
    await relay.close()
    withExtendedLifetime(lived) {}
  }

  @Test("No argument of a journal traps")
  func arguments() async throws {
    let relay = try relay()
    let placed = relay.event(
      "a", of: Int.self, delivery: .kept(attempts: .max, retryDelay: .seconds(Int64.max), batch: .max))
    for number in 1...3 { try await placed.send(number) }
    await relay.close()
    for retention in [
      Journal.Retention.age(.seconds(Int64.max)), .age(.seconds(Int64.min)), .newest(.min), .newest(.max),
    ] {
      let journal = try Journal(path, retention: retention, busy: .seconds(Int64.max))
      for (position, speed) in [
        (UInt64.max, ReplaySpeed.full), (0, .recorded(times: 0)), (0, .recorded(times: -.infinity)),
        (0, .recorded(times: .nan)),
      ] {
        let replay = journal.replay("a", of: Int.self, namespace: "test", after: position, speed: speed)
        for try await _ in replay {}
      }
      await journal.close()
    }
  }
}
#endif
