#if SQLite
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@testable import TidingsJournal

// Rows, numbers and times of other programs may be anything.
extension JournalIdentityTests {
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
