import Testing
import Tidings
import TidingsRemote
import TidingsRemoteTesting
import TidingsTesting

@Suite("A relayed value", .timeLimit(.minutes(60)))
struct RelayedValueTests {
  private let relays = TwoRelays()
  private let adding = ConflictRule<Int>.merge { base, mine, theirs in theirs + mine - base }

  @Test("A change is local immediately, stored when it is settled, and there for a process that comes later")
  func shares() async throws {
    let here = relays.shop.value("stock", initially: 0)
    here.set(7)
    #expect(here.value == 7)
    try await here.settle()
    #expect(here.isSettled.value)
    #expect(here.revision > 0)
    let there = relays.billing.value("stock", initially: 0)
    let changes = there.record()
    let arrived = await eventually { there.value == 7 }
    #expect(arrived)
    let seen = changes.values.map(\.new)
    #expect(seen == [7] || seen.isEmpty)
    await relays.close()
  }

  @Test("Handlers receive an unbroken chain, and the last value of every process")
  func chain() async throws {
    let (here, there) = (relays.shop.value("stock", initially: 0), relays.billing.value("stock", initially: 0))
    let changes = there.record()
    for number in 1...500 { here.set(number) }
    try await here.settle()
    let arrived = await eventually { there.value == 500 }
    #expect(arrived)
    await relays.close()
    let values = changes.values
    #expect(values.last?.new == 500)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0.new == $1.old })
    #expect(values.map(\.new) == values.map(\.new).sorted())
  }

  @Test("Additions of several processes are all in the sum, also with answers lost and the broker away")
  func adds() async throws {
    let relays = (0..<3).map { Relay(.memory(self.relays.broker), name: "adder \($0)", namespace: "test") }
    let values = relays.map { $0.value("sum", initially: 0, conflict: adding) }
    await withTaskGroup(of: Void.self) { group in
      for value in values {
        group.addTask {
          for _ in 0..<300 {
            value.update(isolation: nil) { $0 += 1 }
            await Task.yield()
          }
        }
      }
      group.addTask { [broker = self.relays.broker] in await broker.disturb(times: 10) }
    }
    let agreed = await eventually { values.allSatisfy { $0.value == 900 && $0.isSettled.value } }
    #expect(agreed, "\(values.map(\.value))")
    for relay in relays { await relay.close() }
  }

  @Test("A transaction that throws stores nothing")
  func aborted() async throws {
    let here = relays.shop.value("stock", initially: 0)
    try await here.settle()
    try? transaction {
      here.set(1)
      throw OutOfPaper()
    }
    try await here.settle()
    #expect((here.value, here.revision) == (0, 0))
    await relays.close()
  }

  @Test("The first to write wins where the rule says so")
  func theirs() async throws {
    let (here, there) = (
      relays.shop.value("leader", initially: "", conflict: .theirs),
      relays.billing.value("leader", initially: "", conflict: .theirs)
    )
    try await here.settle()
    try await there.settle()
    here.set("shop")
    there.set("billing")
    let agreed = await eventually {
      here.isSettled.value && there.isSettled.value && here.value == there.value && here.value != ""
    }
    #expect(agreed)
    await relays.close()
  }

  @Test("The last change of a value that the program drops is still stored")
  func dropped() async throws {
    relays.broker.isReachable = false
    do {
      let here = relays.shop.value("stock", initially: 0)
      here.set(7)
    }
    relays.broker.isReachable = true
    let there = relays.billing.value("stock", initially: 0)
    let arrived = await eventually { there.value == 7 }
    #expect(arrived)
    await relays.close()
  }

  @Test("A stored value that is unreadable here is reported, and not overwritten")
  func unreadable() async throws {
    let newer = relays.shop.value("settings", initially: "", schema: .json("settings", version: 2))
    newer.set("dark")
    try await newer.settle()
    let failures = relays.billing.failures.record()
    let old = relays.billing.value("settings", initially: 0, schema: .json("settings"))
    let reports = await failures.values(atLeast: 1)
    if case .unreadable("test.settings", _, _) = reports[0] {} else { Issue.record("\(reports)") }
    old.set(1)
    await #expect(throws: TransportError.self) { try await old.settle() }
    #expect(newer.value == "dark")
    await relays.close()
  }

  @Test("settle throws when the relay is closed while the store is away")
  func closed() async throws {
    let here = relays.shop.value("stock", initially: 0)
    try await here.settle()
    relays.broker.isReachable = false
    here.set(1)
    let settling = Task { try await here.settle() }
    await relays.shop.close()
    await #expect(throws: TransportError.self) { try await settling.value }
    await relays.close()
  }

  @Test("A handler that is under way while the relay closes settles its values")
  func settlesWhileClosing() async throws {
    let relays = TwoRelays()
    let (placed, value) = (
      relays.shop.event("orders.placed", of: Int.self, delivery: .kept), relays.shop.value("delivered", initially: 0)
    )
    let (failures, began, proceed, settled) = (relays.shop.failures.record(), Latch(), Latch(), Recorder<Int>())
    try await value.settle()
    placed.handle(as: "billing") { _ in
      began.open()
      await proceed.wait()
      for number in 1...3 {
        value.set(number)
        try await value.settle()
        settled(number)
      }
    }
    try await placed.send(1)
    await began.wait()
    let closing = Task { await relays.shop.close() }
    var probes: [RelayedValue<Int>] = []
    while !failures.values.contains(where: { "\($0)".contains("the relay is closed") }) {
      probes.append(relays.shop.value("probe \(probes.count)", initially: 0))
      await Task.yield()
    }
    proceed.open()
    #expect(await settled.values(atLeast: 3) == [1, 2, 3])
    await closing.value
    await relays.billing.close()
  }
}
