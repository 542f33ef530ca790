#if SQLite
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsJournal
import TidingsRemote
import TidingsRemoteTesting
import TidingsTesting

@Suite("The journal", .timeLimit(.minutes(60)))
struct JournalTests {
  private let folder: Folder
  private var file: String { folder.path + "/journal.db" }
  init() throws { folder = try Folder() }

  private func relay(_ name: String = "shop") throws -> Relay {
    Relay(try Journal(file), name: name, namespace: "test")
  }

  @Test("It meets every requirement of a transport", arguments: TransportCheck.all)
  func requirements(_ check: TransportCheck) async throws {
    // The same as another process that opens the file with another retention.
    let prune: @Sendable (Int, String) async throws -> Void = { [file] count, _ in
      _ = try Journal(file, retention: .newest(count)).prune()
    }
    try await check(TransportUnderTest(pruning: prune) { [file] in try Journal(file) })
    #expect(try Journal(file).integrityCheck() == [])
  }

  @Test("Numbers continue after a restart, and a consumer where it was")
  func restarts() async throws {
    let sequences = Recorder<UInt64>()
    for run in 0..<3 {
      let relay = try relay()
      let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
      placed.handle(as: "billing") { number, message in
        #expect(number == run)
        sequences(message.sequence)
      }
      try await placed.send(run)
      _ = await sequences.values(atLeast: run + 1)
      await relay.close()
    }
    #expect(sequences.values == [1, 2, 3])
  }

  @Test("A value survives a restart: settings")
  func settings() async throws {
    let first = try relay()
    let volume = first.value("settings.volume", initially: 5)
    volume.set(11)
    try await volume.settle()
    await first.close()
    let second = try relay()
    let again = second.value("settings.volume", initially: 5)
    try await again.settle()
    #expect(again.value == 11)
    await second.close()
  }

  @Test("Additions of three processes are all in the sum")
  func adds() async throws {
    let relays = try (0..<3).map { try relay("adder \($0)") }
    let values = relays.map {
      $0.value("sum", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
    }
    await withTaskGroup(of: Void.self) { group in
      for value in values {
        group.addTask { for _ in 0..<200 { value.update(isolation: nil) { $0 += 1 } } }
      }
    }
    for value in values { try await value.settle() }
    for relay in relays { await relay.close() }
    let last = try relay()
    let sum = last.value("sum", initially: 0)
    try await sum.settle()
    #expect(sum.value == 600)
    await last.close()
  }

  @Test("Messages are replayed after a position, as fast as they are read or with their pauses")
  func replays() async throws {
    let path = file
    let journal = try Journal(path)
    let relay = Relay(journal, name: "billing-2", namespace: "shop")
    let priced = relay.event("market.priced", of: Int.self)
    let arrived = relay.event("market.priced", of: Int.self)
    let recording = arrived.record()
    for number in 1...2_500 { priced.emit(number) }
    _ = await recording.values(atLeast: 2_500)
    var all: [Replayed<Int>] = []
    for try await price in journal.replay("market.priced", of: Int.self, namespace: "shop") { all.append(price) }
    #expect(all.map(\.payload) == Array(1...2_500))
    var rest: [Int] = []
    let clock = JumpingClock()
    let replay = journal.replay(
      "market.priced", of: Int.self, namespace: "shop", after: all[999].sequence, speed: .recorded(times: 2),
      clock: clock)
    for try await price in replay { rest.append(price.payload) }
    #expect(rest == Array(1_001...2_500))
    let span = all[2_499].time.timeIntervalSince(all[1_000].time)
    let pauses = Double(clock.slept.components.seconds) + Double(clock.slept.components.attoseconds) / 1e18
    #expect(abs(pauses - span / 2) < 0.001)
    withExtendedLifetime(arrived) {}
    await relay.close()
  }

  @Test("A process is woken by another's datagram, not by looking now and then")
  func wakes() async throws {
    let child = try ChildProcess("journal-process", "echo", file, "echo")
    _ = await child.lines.values(atLeast: 1)
    let relay = try relay()
    let (ping, pong) = (relay.event("ping", of: Int.self), relay.event("pong", of: Int.self))
    let answers = pong.record()
    let began = ContinuousClock.now
    for number in 1...200 {
      ping.emit(number)
      #expect(await answers.values(atLeast: number).last == number)
    }
    // Two looks a message, each half a second apart, would take more than a minute.
    #expect(ContinuousClock.now - began < .seconds(20))
    await relay.close()
    #expect(await child.end() == 0)
  }

  @Test("Retention deletes what need not be kept, and nothing that a consumer has yet to handle")
  func retention() async throws {
    let journal = try Journal(file, retention: .newest(10))
    let relay = Relay(journal, name: "shop", namespace: "test")
    let (placed, other) = (
      relay.event("orders.placed", of: Int.self, delivery: .kept), relay.event("other", of: Int.self, delivery: .kept)
    )
    let (handled, proceed) = (Recorder<Int>(), Latch())
    placed.handle(as: "billing") { number in
      if number == 51 { await proceed.wait() }
      handled(number)
    }
    try await placed.send(contentsOf: (1...50).map { ($0, id: "\($0)") })
    _ = await handled.values(atLeast: 50)
    try await placed.send(contentsOf: (51...100).map { ($0, id: "\($0)") })
    try await other.send(contentsOf: (1...50).map { ($0, id: "\($0)") })
    // The handled ones are acknowledged before the next are claimed, so they have been by the time that 51 is handled.
    let deleted = try { while true { if case let count = try journal.prune(), count > 0 { return count } } }()
    #expect(deleted >= 50)
    proceed.open()
    #expect(await handled.values(atLeast: 100) == Array(1...100))
    await relay.close()
    let again = try Journal(file, retention: .newest(10))
    #expect(try again.integrityCheck() == [])
    await again.close()
  }

  @Test("A consumer that is removed holds back no message from retention")
  func removedConsumer() async throws {
    let journal = try Journal(file, retention: .newest(10))
    let relay = Relay(journal, name: "shop", namespace: "test")
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    let handled = Recorder<Int>()
    try await placed.send(0)
    let handling = placed.handle(as: "billing") { handled($0) }
    _ = await handled.values(atLeast: 1)
    await handling.finish()
    for number in 1...50 { try await placed.send(number) }
    #expect(try journal.prune() == 1)
    try await placed.removeConsumer("billing")
    #expect(try journal.prune() == 40)
    placed.handle(as: "billing") { handled($0) }
    #expect(await handled.values(atLeast: 11) == [0] + (41...50))
    await relay.close()
  }
}

/// A clock on which every pause is over immediately.
final class JumpingClock: Clock, Sendable {
  typealias Instant = ContinuousClock.Instant
  private let pauses = Recorder<Duration>()
  private let start = ContinuousClock.now
  var slept: Duration { pauses.values.reduce(.zero, +) }
  var now: Instant { start + slept }
  var minimumResolution: Duration { .nanoseconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws { pauses(deadline - now) }
}
#endif
