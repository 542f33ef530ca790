#if NATS
import Foundation
import RemoteTestSupport
import Testing
import TidingsTesting

/// Several processes on one broker that is killed. `TIDINGS_NATS_RUNS=10` is the long form.
@Suite("NATS between processes", .timeLimit(.minutes(60)), .serialized)
struct NATSProcessTests {
  private static let runs = ProcessInfo.processInfo.environment["TIDINGS_NATS_RUNS"].flatMap(Int.init) ?? 1

  @Test(
    "kill -9 of the broker, of the reader and of the broker: nothing of what send returned is lost, each effect once",
    arguments: 1...runs)
  func kept(_ run: Int) async throws {
    let server = try await Server()
    let effects = try server.folder.make("effects")
    let (last, began) = (5_000, ContinuousClock.now)
    let writer = try ChildProcess("nats-process", "send", server.url, "writer", "1", "\(last)")
    var reader = try ChildProcess("nats-process", "handle", server.url, "reader", effects)
    _ = await reader.lines.values(atLeast: 200)
    try await server.restart()
    _ = await reader.lines.values(atLeast: 1_000)
    await reader.kill()
    var again = reader.lines.values.filter { $0.hasPrefix("again") }.count
    reader = try ChildProcess("nats-process", "handle", server.url, "reader", effects)
    _ = await reader.lines.values(atLeast: 500)
    try await server.restart()
    #expect(await writer.end() == 0)
    #expect(writer.lines.values.last == "\(last)")
    let made = await eventually { (try? FileManager.default.contentsOfDirectory(atPath: effects).count) ?? 0 >= last }
    #expect(made)
    #expect(await reader.end() == 0)
    again += reader.lines.values.filter { $0.hasPrefix("again") }.count
    let ids = try FileManager.default.contentsOfDirectory(atPath: effects)
    #expect(Set(ids) == Set((1...last).map { "order-\($0)" }))
    let time = ContinuousClock.now - began
    print("kept events, run \(run): \(last) sent, 0 lost after 3 kills, \(again) handled again, \(time)")
  }

  @Test("A message that ends its process is the one that becomes dead, and none that was claimed with it")
  func poison() async throws {
    let server = try await Server()
    let suspects = Suspects("nats-process", server.url, effects: try server.folder.make("effects"))
    try await suspects.send(64)
    try await suspects.handle(64, poison: 3, starts: 12)
    #expect(suspects.made == Set((1...64).map { "order-\($0)" }).subtracting(["order-3"]))
    #expect(try await suspects.dead() == ["dead order-3: its handler did not return"])
  }

  @Test("Kills within one batch make no healthy message dead")
  func repeatedKills() async throws {
    let server = try await Server()
    let suspects = Suspects("nats-process", server.url, effects: try server.folder.make("effects"))
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

  @Test(
    "10,000 sets over two kills of the broker: the last value is everywhere, and no process returns to an older one",
    arguments: 1...runs)
  func values(_ run: Int) async throws {
    let server = try await Server()
    let followers = try (0..<2).map { try ChildProcess("nats-process", "follow", server.url, "follower \($0)") }
    for follower in followers { _ = await follower.lines.values(atLeast: 1) }
    let writer = try ChildProcess("nats-process", "set", server.url, "writer", "10000")
    _ = await writer.lines.values(atLeast: 2)
    try await server.restart()
    _ = await writer.lines.values(atLeast: 6)
    try await server.restart()
    try await writer.line(containing: "settled")
    let settled = ContinuousClock.now
    for follower in followers {
      let arrived = await eventually { follower.lines.values.last == "10000" }
      #expect(arrived, "\(String(describing: follower.lines.values.last))")
    }
    let delay = ContinuousClock.now - settled
    for follower in followers {
      #expect(await follower.end() == 0)
      let values = follower.lines.values.compactMap(Int.init)
      #expect(values == values.sorted())
    }
    print("values, run \(run): the last one in \(followers.count) others \(delay) after it was settled")
    #expect(delay < .seconds(2))
    #expect(await writer.end() == 0)
  }

  @Test("Three processes that add are all in the sum, over a kill of the broker", arguments: 1...runs)
  func adders(_ run: Int) async throws {
    let server = try await Server()
    let adders = try (0..<3).map { try ChildProcess("nats-process", "add", server.url, "adder \($0)", "1000") }
    _ = await adders[0].lines.values(atLeast: 3)
    try await server.restart()
    for adder in adders { #expect(await adder.end() == 0) }
    let last = try ChildProcess("nats-process", "add", server.url, "last", "1")
    #expect(await last.end() == 0)
    let reader = try ChildProcess("nats-process", "sum", server.url, "reader")
    #expect(await reader.end() == 0)
    #expect(reader.lines.values.last == "3001")
    print("adders, run \(run): \(reader.lines.values.last ?? "nothing") of 3001")
  }
}
#endif
