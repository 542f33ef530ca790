#if SQLite
import Foundation
import RemoteTestSupport
import GRDB
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@testable import TidingsJournal

@Suite("The journal under faults", .timeLimit(.minutes(60)), .serialized)
struct JournalFaultTests {
  private let folder: Folder
  private var path: String { folder.path + "/journal.db" }
  init() throws { folder = try Folder() }

  /// `TIDINGS_SEED` repeats the choice of what is killed when.
  @Test(
    "kill -9 of the writer and of the reader, twenty times: nothing of what send returned is lost, each effect once")
  func kills() async throws {
    let effects = try folder.make("effects")
    let seed =
      ProcessInfo.processInfo.environment["TIDINGS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...0xFFFF_FFFF)
    print("journal kills: TIDINGS_SEED=\(seed)")
    var state = seed
    func random(_ limit: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % limit)
    }
    func makeReader() throws -> ChildProcess { try ChildProcess("journal-process", "handle", path, "reader", effects) }
    func makeWriter(_ next: Int, _ last: Int = .max - 100) throws -> ChildProcess {
      try ChildProcess("journal-process", "send", path, "writer", "\(next)", "\(last)")
    }
    var (kept, handled, again) = (0, 0, [Int]())
    func count(_ reader: ChildProcess) {
      handled += reader.lines.values.count
      again.append(reader.lines.values.filter { $0.hasPrefix("again") }.count)
    }
    var (reader, writer) = (try makeReader(), try makeWriter(1))
    for kill in 0..<20 {
      if kill % 2 == 0 {
        _ = await writer.lines.values(atLeast: 1 + random(5))
        await writer.kill()
        kept = writer.lines.values.last.flatMap(Int.init) ?? kept
        writer = try makeWriter(kept + 1)
      } else {
        _ = await reader.lines.values(atLeast: 1 + random(150))
        await reader.kill()
        count(reader)
        reader = try makeReader()
      }
    }
    await writer.kill()
    kept = writer.lines.values.last.flatMap(Int.init) ?? kept
    let last = kept + 200
    writer = try makeWriter(kept + 1, last)
    #expect(await writer.end() == 0)
    let made = await eventually { (try? FileManager.default.contentsOfDirectory(atPath: effects).count) ?? 0 >= last }
    #expect(made)
    #expect(await reader.end() == 0)
    count(reader)
    let ids = try FileManager.default.contentsOfDirectory(atPath: effects)
    #expect(Set(ids) == Set((1...last).map { "order-\($0)" }))
    // A reader repeats what the one before had claimed when it was killed, a batch at the most; the first repeats nothing.
    #expect(again[0] == 0)
    #expect(again.allSatisfy { $0 <= 64 }, "\(again)")
    print("journal kills: \(last) kept, \(handled) handled, of them again, by reader: \(again)")
    #expect(try Journal(path).integrityCheck() == [])
  }

  @Test("A message that ends its process is the one that becomes dead, and none that was claimed with it")
  func poison() async throws {
    let suspects = Suspects("journal-process", path, effects: try folder.make("effects"))
    try await suspects.send(64)
    try await suspects.handle(64, poison: 3, starts: 12)
    #expect(suspects.made == Set((1...64).map { "order-\($0)" }).subtracting(["order-3"]))
    #expect(try await suspects.dead() == ["dead order-3: its handler did not return"])
  }

  @Test("Kills within one batch make no healthy message dead")
  func repeatedKills() async throws {
    let suspects = Suspects("journal-process", path, effects: try folder.make("effects"))
    try await suspects.send(64)
    for _ in 0..<8 {
      let reader = try suspects.reader(haltingAfter: 3)
      _ = await reader.lines.values(atLeast: 3)
      await reader.kill()
    }
    let reader = try suspects.reader()
    let isOver = await eventually { suspects.made.count == 64 }
    #expect(isOver)
    #expect(await reader.end() == 0)
    #expect(try await suspects.dead() == [])
  }

  @Test("A commit waits for the disk where it is to survive a loss of power", arguments: [1, 2])
  func durability(level: Int) async throws {
    let journal = try Journal(path, durability: level == 2 ? .power : .process)
    let synchronous = try await journal.store.pool.writeWithoutTransaction {
      try Int.fetchOne($0, sql: "PRAGMA synchronous")
    }
    #expect(synchronous == level)
    await journal.close()
  }

  @Test("A journal that closes writes into no other connection of its process")
  func closes() async throws {
    let (neighbour, isOver) = (try Journal(path), Latch())
    // Connections that are opened and closed take the numbers of the descriptors that journals close.
    let written = Task.detached {
      var count = 0
      guard let listener = Connection.listen() else { return -1 }
      while !isOver.isOpen {
        guard let pair = listener.makePair() else { return -1 }
        for _ in 0..<20 {
          await Task.yield()
          count += pair.map { $0.received }.reduce(0, +)
        }
      }
      return count
    }
    for _ in 0..<300 {
      let journal = try Journal(path)
      journal.open { _ in }
      await journal.close()
    }
    isOver.open()
    #expect(await written.value == 0)
    withExtendedLifetime(neighbour) {}
  }

  @Test("Processes that open and close one file simultaneously wait for each other")
  func openings() async throws {
    let ended = Recorder<String>()
    for _ in 0..<4 {
      // Threads, because opening blocks: as tasks they would take turns.
      Thread { [folder] in
        var failure = ""
        for round in 0..<200 where failure.isEmpty {
          do { withExtendedLifetime(try Journal("\(folder.path)/\(round / 4).db")) {} } catch { failure = "\(error)" }
        }
        ended(failure)
      }.start()
    }
    #expect(await ended.values(atLeast: 4) == ["", "", "", ""], "\(ended.values)")
  }

  @Test("While another program holds a lock, send waits and says why; nothing is lost")
  func locked() async throws {
    let relay = Relay(try Journal(path, busy: .milliseconds(20)), name: "shop", namespace: "test")
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    let emitted = relay.event("market.priced", of: Int.self)
    let (failures, handled) = (relay.failures.record(), Recorder<Int>())
    try await placed.send(1)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let foreign = try DatabaseQueue(path: path, configuration: configuration)
    try foreign.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let sending = Task { try await placed.send(2) }
    emitted.emit(3)
    let reports = await failures.values(atLeast: 1)
    #expect(reports.allSatisfy { "\($0)".contains("locked") && "\($0)".contains("another program") })
    try foreign.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try await sending.value
    placed.handle(as: "billing") { handled($0) }
    #expect(await handled.values(atLeast: 2) == [1, 2])
    await relay.close()
    let journal = try Journal(path)
    var replayed: [Int] = []
    for try await price in journal.replay("market.priced", of: Int.self, namespace: "test") {
      replayed.append(price.payload)
    }
    #expect(replayed == [3])
    await journal.close()
  }

  @Test("In a full journal send throws an error and stored messages stay; with room it continues")
  func full() async throws {
    let journal = try Journal(path, maximumSize: 200_000)
    let relay = Relay(journal, name: "shop", namespace: "test")
    let placed = relay.event("orders.placed", of: String.self, delivery: .kept)
    let text = String(repeating: "x", count: 1_000)
    var kept = 0
    let error = await #expect(throws: TransportError.self) {
      while true {
        try await placed.send(text, id: "\(kept)")
        kept += 1
      }
    }
    #expect(error.map { "\($0)".contains("full") } == true, "\(String(describing: error))")
    #expect(kept > 10)
    await relay.close()
    let (roomy, handled) = (Relay(try Journal(path), name: "shop", namespace: "test"), Recorder<String>())
    let again = roomy.event("orders.placed", of: String.self, delivery: .kept)
    try await again.send(text, id: "\(kept)")
    again.handle(as: "billing") { _, message in handled(message.id) }
    #expect(await handled.values(atLeast: kept + 1) == (0...kept).map { "\($0)" })
    await roomy.close()
    #expect(try Journal(path).integrityCheck() == [])
  }

  /// Mounts and unmounts a disk of one megabyte, in memory; only a user who may mount has one.
  private static func run(_ path: String, _ command: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    (process.arguments, process.standardError) = (command + [path], FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
  private static let mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs"]
  /// When nothing in it is open any more: the files of a connection are until it is deinitialized.
  private static let unmount = ["umount", "-l"]
  private static let mayMount: Bool = {
    guard let folder = try? Folder(), let path = try? folder.make("disk") else { return false }
    return run(path, mount) && run(path, unmount)
  }()

  @Test(
    "On a disk that is full send throws that, what was kept stays, and with space it continues", .enabled(if: mayMount))
  func fullDisk() async throws {
    let disk = try folder.make("disk")
    try #require(Self.run(disk, Self.mount))
    defer { #expect(Self.run(disk, Self.unmount)) }
    let (path, ballast) = (disk + "/journal.db", disk + "/ballast")
    #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 300_000)))
    let relay = Relay(try Journal(path), name: "shop", namespace: "test")
    let (placed, handled) = (relay.event("orders.placed", of: String.self, delivery: .kept), Recorder<String>())
    let text = String(repeating: "x", count: 1_000)
    var kept = 0
    let error = await #expect(throws: TransportError.self) {
      while true {
        try await placed.send(text, id: "\(kept)")
        kept += 1
      }
    }
    #expect(error.map { "\($0)".contains("full") } == true, "\(String(describing: error))")
    #expect(kept > 10)
    try FileManager.default.removeItem(atPath: ballast)
    try await placed.send(text, id: "\(kept)")
    placed.handle(as: "billing") { _, message in handled(message.id) }
    #expect(await handled.values(atLeast: kept + 1) == (0...kept).map { "\($0)" })
    await relay.close()
    let journal = try Journal(path)
    #expect(try journal.integrityCheck() == [])
    await journal.close()
  }

  @Test("A file that is no journal, or one of a later version, is rejected with the reason")
  func foreignFiles() async throws {
    let text = folder.path + "/text"
    try Data(String(repeating: "not a database ", count: 1_000).utf8).write(to: URL(fileURLWithPath: text))
    #expect(throws: TransportError.self) { try Journal(text) }
    let later = try DatabaseQueue(path: path)
    try await later.write { try $0.execute(sql: "PRAGMA user_version = 2") }
    #expect {
      try Journal(path)
    } throws: {
      "\($0)".contains("version 2")
    }
  }

  @Test("A damaged file is found by its check")
  func damaged() async throws {
    let journal = try Journal(path)
    try await journal.store(
      (0..<500).map {
        RemoteMessage(
          subject: "a", id: "\($0)", origin: "b", schema: "c", version: 1, body: Data(repeating: 7, count: 200))
      })
    #expect(try journal.integrityCheck() == [])
    await journal.close()
    // Pages that are still in the write-ahead log would hide the damage.
    try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let size = try file.seekToEnd()
    for page in stride(from: 8_192, to: size, by: 12_288) {
      try file.seek(toOffset: page)
      file.write(Data(repeating: 0xA5, count: 512))
    }
    try file.close()
    var isFound = false
    do { isFound = !(try Journal(path).integrityCheck().isEmpty) } catch { isFound = true }
    #expect(isFound)
  }
}
#endif
