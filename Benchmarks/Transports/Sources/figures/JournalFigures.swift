#if SQLite
import Foundation
import Tidings
import TidingsJournal
import TidingsRemote

/// Writing, replay, wake-up and idling of a journal, in two processes.
struct JournalFigures {
  private let folder = "/tmp/tidings-figures-\(UInt32.random(in: 0 ... .max))"
  private let count = 300_000

  func run(only word: String?) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var table = Table(only: word)
    let raw = await table.add("raw SQLite: rows inserted, 1,000 a transaction", tries: 3, "a second", .none) {
      Double(count) / RawSQLite.insert(count, into: "\(folder)/\(fresh())")
    }
    let kept = try await table.add(
      "kept events, sent in batches of 1,000 by 4 tasks", tries: 3, "a second", .atLeast(150_000)
    ) {
      try await sent(batch: 1_000, by: 4)
    }
    table.ratio("kept events sent, to raw", kept, to: raw)
    try await table.add("kept events, sent in batches of 1,000 by 1 task", tries: 3, "a second", .none) {
      try await sent(batch: 1_000, by: 1)
    }
    try await table.add("kept events, sent one a call by 1,000 tasks", tries: 3, "a second", .none, sentAlone)
    try await table.add("events, emitted", tries: 3, "a second", .none, emitted)
    try await table.add("events, replayed", tries: 3, "a second", .atLeast(100_000), replayed)
    try await table.add("kept events, handled and acknowledged", tries: 3, "a second", .none, handled)
    var delays: [Double] = []
    try await table.add("wake-up of another process, p50", "ms", .atMost(0.6)) {
      delays = try await wakeUps()
      return delays[delays.count / 2]
    }
    if !delays.isEmpty { table.add("wake-up of another process, p99", delays[delays.count * 99 / 100], "ms", .none) }
    try await table.add("idle, of a core", "%", .atMost(1)) { try idle() }
    table.end()
  }

  private func relay(_ file: String) throws -> Relay {
    Relay(try Journal("\(folder)/\(file)"), name: "figures", namespace: "figures")
  }
  private func fresh() -> String { "\(UInt32.random(in: 0 ... .max)).db" }

  private func sent(batch: Int, by tasks: Int) async throws -> Double {
    let relay = try relay(fresh())
    let seconds = try await Sending.batches(
      of: batch, by: tasks, count, relay.event("ticks", of: Tick.self, delivery: .kept))
    await relay.close()
    return Double(count) / seconds
  }

  private func sentAlone() async throws -> Double {
    let relay = try relay(fresh())
    let ticks = relay.event("ticks", of: Tick.self, delivery: .kept)
    let each = count / 3_000
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<1_000 {
          group.addTask { for number in 0..<each { try await ticks.send(.number(number), id: "\(task).\(number)") } }
        }
        try await group.waitForAll()
      }
    }
    await relay.close()
    return Double(each * 1_000) / time.seconds
  }

  /// Until the file has all.
  private func emitted() async throws -> Double {
    let relay = Relay(
      try Journal("\(folder)/\(fresh())"), name: "figures", namespace: "figures", buffering: .max)
    let ticks = relay.event("ticks", of: Tick.self)
    let time = await ContinuousClock().measure {
      for number in 1...count { ticks.emit(.number(number), isolation: nil) }
      await relay.close()
    }
    return Double(count) / time.seconds
  }

  private func replayed() async throws -> Double {
    let file = "replayed.db"
    if !FileManager.default.fileExists(atPath: "\(folder)/\(file)") {
      let relay = try relay(file)
      let ticks = relay.event("ticks", of: Tick.self, delivery: .kept)
      try await ticks.send(contentsOf: (1...count).map { (.number($0), id: "\($0)") })
      await relay.close()
    }
    let journal = try Journal("\(folder)/\(file)")
    var next = 1
    let time = try await ContinuousClock().measure {
      for try await tick in journal.replay("ticks", of: Tick.self, namespace: "figures") {
        precondition(tick.payload.number == next)
        next += 1
      }
    }
    precondition(next == count + 1)
    await journal.close()
    return Double(count) / time.seconds
  }

  private func handled() async throws -> Double {
    let (relay, count) = (try relay(fresh()), count / 5)
    let seconds = try await Sending.handling(
      count, relay.event("ticks", of: Tick.self, delivery: .kept(batch: 512)))
    await relay.close()
    return Double(count) / seconds
  }

  /// In milliseconds, from `emit` in one process to the handler in another; sorted.
  private func wakeUps() async throws -> [Double] {
    let file = fresh()
    let child = try ChildProcess("journal-process", "receive", "\(folder)/\(file)")
    _ = child.line()
    let relay = try relay(file)
    let times = relay.event("times", of: Int64.self)
    let delays = try await Sending.delays(child) { times.emit(monotonicNow(), isolation: nil) }
    await relay.close()
    return delays
  }

  /// Returns the percentage of a processor that an idle process with an event, a consumer and a value uses.
  private func idle() throws -> Double {
    let child = try ChildProcess("journal-process", "idle", "\(folder)/\(fresh())")
    defer { child.end() }
    return Double(child.line() ?? "")! * 100
  }
}

/// The other process.
enum JournalProcess {
  static func run(_ arguments: [String]) async throws {
    let relay = Relay(try Journal(arguments[3]), name: "other", namespace: "figures")
    switch arguments[2] {
    case "receive":
      let times = relay.event("times", of: Int64.self)
      let subscription = times.observe { began in say("\(monotonicNow() - began)") }
      say("ready")
      await ChildProcess.inputEnds()
      withExtendedLifetime((times, subscription)) {}
    case "idle":
      let (ticks, orders) = (
        relay.event("ticks", of: Tick.self), relay.event("orders", of: Tick.self, delivery: .kept)
      )
      let value = relay.value("value", initially: 0)
      let subscription = ticks.observe { _ in }
      orders.handle(as: "idle") { _ in }
      try await Task.sleep(for: .seconds(1))
      let began = processorSeconds()
      let time = try await ContinuousClock().measure { try await Task.sleep(for: .seconds(10)) }
      say("\((processorSeconds() - began) / time.seconds)")
      withExtendedLifetime((subscription, value)) {}
    default: exit(2)
    }
    await relay.close()
  }
}
#endif
