import Foundation
import Testing
import Tidings
import TidingsCollections
import TidingsPersistence
import TidingsState
import TidingsTesting

@Suite("Collections that are saved")
struct PersistentCollectionTests {
  private struct Row: Codable, Equatable, Identifiable {
    let id: Int
    var name: String
    static let examples = [Row(id: 1, name: "a"), Row(id: 2, name: "b"), Row(id: 3, name: "c")]
  }
  private func rows(_ store: PersistentStore) -> ObservedArray<Row> {
    store.collection("rows", as: ObservedArray.self, default: Row.examples)
  }
  private func prices(_ store: PersistentStore) -> ObservedDictionary<String, Int> {
    store.collection("prices", default: ["a": 1, "b": 2])
  }

  @Test("A collection that is saved is there for the next store, and its default is not written")
  func reload() async throws {
    let storage = MemoryStorage()
    let store = PersistentStore(storage)
    let (rows, prices) = (rows(store), prices(store))
    try await store.save()
    #expect(storage.text == nil && rows.value == Row.examples)
    rows.updateElement(for: 2) { $0?.name = "new" }
    rows.edit { $0.move(from: 2, to: 0) }
    prices.set(3, for: "c")
    try await store.save()
    let next = PersistentStore(storage)
    #expect(self.rows(next).value.map(\.name) == ["c", "a", "new"])
    #expect(self.prices(next).value == ["a": 1, "b": 2, "c": 3])
    #expect(storage.text?.contains(#""prices": {"a":1,"b":2,"c":3}"#) == true, "an object that a person can read")
  }

  @Test("The edits of an interval are saved together when it is over, with the values; and close() saves the rest")
  func interval() async {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    let store = PersistentStore(storage, interval: .seconds(1), clock: clock)
    let (rows, number) = (rows(store), store.value("number", default: 0))
    for id in 4...6 { rows.append(Row(id: id, name: "d")) }
    await clock.sleepers(1)
    number.set(1)
    #expect(storage.text == nil)
    clock.advance(by: .seconds(1))
    #expect(await eventually { storage.text != nil })
    let next = PersistentStore(storage)
    #expect(self.rows(next).value.count == 6 && next.value("number", default: 0).value == 1)
    rows.removeAll()
    await store.close()
    #expect(self.rows(PersistentStore(storage)).value.isEmpty)
  }

  @Test("A key has one collection")
  func identity() {
    let store = PersistentStore(MemoryStorage())
    #expect(rows(store) === rows(store))
    #expect(prices(store) === prices(store))
  }

  @Test("An older version of a collection is migrated")
  func migration() async throws {
    let storage = MemoryStorage(#"{"version": 1, "values": {"names": ["x", "y"]}}"#)
    let store = PersistentStore(
      storage, version: 2,
      migrate: { fields, _ in
        let names = try fields.value("names", as: [String].self) ?? []
        try fields.set("rows", to: names.enumerated().map { Row(id: $0, name: $1) })
        fields.remove("names")
      })
    let rows = rows(store)
    #expect(rows.value == [Row(id: 0, name: "x"), Row(id: 1, name: "y")])
    rows.remove(at: 0)
    try await store.save()
    #expect(storage.text?.contains(#""rows": [{"id":1,"name":"y"}]"#) == true)
  }

  @Test("A collection that does not decode is reported, and begins with its default")
  func undecodable() {
    let (storage, problems) = (MemoryStorage(#"{"version": 1, "values": {"rows": {"id": 1}}}"#), Problems())
    let store = PersistentStore(storage, onProblem: { problems.add($0) })
    #expect(rows(store).value == Row.examples && problems.all.count == 1)
  }

  @Test("What another process saves arrives as edits of the elements that differ, together with its values")
  func others() async throws {
    let (storage, problems) = (MemoryStorage(), Problems())
    let stores = (0..<2).map { _ in
      PersistentStore(storage, interval: .seconds(1000), onProblem: { problems.add($0) })
    }
    let (rows, prices) = (stores.map { self.rows($0) }, stores.map { self.prices($0) })
    let number = stores.map { $0.value("number", default: 0) }
    let received = rows[1].differences.record()
    let keys = prices[1].differences.record()
    let seen = Recorder<[Int]>()
    let token = number[1].observe { [rows, prices] _ in seen([rows[1].value.count, prices[1].value.count]) }
    transaction {
      rows[0].edit { rows in
        rows.append(Row(id: 4, name: "d"))
        rows.move(from: 0, to: 2)
        rows[0].name = "new"
      }
      prices[0].edit { prices in
        prices["c"] = 3
        prices["a"] = nil
      }
      number[0].set(1)
    }
    try await stores[0].save()
    #expect(await eventually { number[1].value == 1 })
    #expect(rows[1].value == rows[0].value && prices[1].value == ["b": 2, "c": 3])
    #expect(seen.values == [[4, 2]], "together")
    let difference = try #require(received.values.first)
    #expect(received.values.count == 1 && !difference.isReset && difference.edits.count == 3, "\(difference.edits)")
    #expect(keys.values.map { $0.keys } == [["a", "c"]])
    #expect(problems.all.isEmpty)
    // Each keeps what the other one saves.
    rows[1].remove(at: 0)
    try await stores[1].save()
    prices[0].set(9, for: "d")
    try await stores[0].save()
    let last = PersistentStore(storage)
    #expect(self.rows(last).value == rows[1].value && self.prices(last).value == ["b": 2, "c": 3, "d": 9])
    #expect(problems.all.isEmpty)
    withExtendedLifetime((stores, token)) {}
  }

  @Test("An edit that is made while another process's elements are adopted is kept, and reported when it replaces them")
  func meanwhile() async throws {
    let (storage, problems) = (Interrupting(), Problems())
    let other = PersistentStore(storage.memory, interval: .seconds(1000))
    let store = PersistentStore(storage, interval: .seconds(1000), onProblem: { problems.add($0) })
    let (theirs, mine) = (rows(other), rows(store))
    theirs.append(Row(id: 4, name: "theirs"))
    try await other.save()
    storage.interruption.withLock { $0 = { mine.append(Row(id: 5, name: "mine")) } }
    try await store.save()
    #expect(mine.value.map(\.name) == ["a", "b", "c", "mine"])
    storage.interruption.withLock { $0 = {} }
    try await store.save()
    #expect(problems.all.map(\.description) == [PersistenceProblem.overwritten(key: "rows").description])
    #expect(rows(PersistentStore(storage.memory)).value == mine.value)
  }

  @Test("An undo of what another process has saved is saved")
  func undo() async throws {
    let storage = MemoryStorage()
    let stores = (0..<2).map { _ in PersistentStore(storage, interval: .seconds(1000)) }
    let rows = stores.map { self.rows($0) }
    let history = History(of: rows[1])
    rows[0].remove(at: 1)
    try await stores[0].save()
    #expect(await eventually { rows[1].value.count == 2 })
    history.undo()
    #expect(rows[1].value == Row.examples)
    try await stores[1].save()
    #expect(await eventually { rows[0].value == Row.examples })
    withExtendedLifetime(stores) {}
  }
}

/// A storage in which something happens between the moment at which a store looks at its values and that at which it looks at the storage.
private final class Interrupting: PersistentStorage {
  let memory = MemoryStorage()
  let interruption = Locked<@Sendable () -> Void>({})
  func load() throws -> Data? { try memory.load() }
  func replace(_ change: (Data?) throws -> Data?) throws {
    interruption.current()
    try memory.replace(change)
  }
  func setAside() -> String? { nil }
  func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? { nil }
}
