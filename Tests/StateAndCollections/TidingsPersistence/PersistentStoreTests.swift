import Foundation
import Testing
import Tidings
import TidingsPersistence
import TidingsTesting

@Suite("Values that are saved")
struct PersistentStoreTests {
  private struct Window: Codable, Equatable {
    var width = 800
    var title = "Untitled \"1\" \\ {,:}"
  }

  @Test("A value that is saved is there for the next store")
  func reload() async throws {
    let storage = MemoryStorage()
    let store = PersistentStore(storage)
    let (volume, window) = (store.value("volume", default: 0.5), store.value("window", default: Window()))
    #expect(storage.text == nil)
    volume.set(0.7)
    window.update { $0.width = 900 }
    try await store.save()
    let next = PersistentStore(storage)
    #expect(next.value("volume", default: 0).value == 0.7)
    #expect(next.value("window", default: Window()).value == Window(width: 900))
  }

  @Test("What is stored is text that a person can read, a field in each line")
  func text() async throws {
    let storage = MemoryStorage()
    let store = PersistentStore(storage, version: 3)
    store.value("b", default: 0).set(1)
    store.value("a \"quoted\"", default: [1]).set([1, 2])
    try await store.save()
    #expect(
      storage.text == """
        {
          "version": 3,
          "values": {
            "a \\"quoted\\"": [1,2],
            "b": 1
          }
        }

        """)
  }

  @Test("Changes of an interval are saved together, when it is over")
  func interval() async {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    let store = PersistentStore(storage, interval: .seconds(1), clock: clock)
    let (a, b) = (store.value("a", default: 0), store.value("b", default: 0))
    a.set(1)
    b.set(2)
    await clock.sleepers(1)
    #expect(storage.text == nil)
    clock.advance(by: .seconds(1))
    #expect(await eventually { storage.text != nil })
    let next = PersistentStore(storage)
    #expect(next.value("a", default: 0).value == 1 && next.value("b", default: 0).value == 2)
    withExtendedLifetime(store) {}
  }

  @Test("close() saves, and so does the end of the store")
  func close() async {
    for closes in [true, false] {
      let storage = MemoryStorage()
      var store: PersistentStore? = PersistentStore(storage, interval: .seconds(1000))
      store?.value("a", default: 0).set(1)
      if closes { await store?.close() }
      store = nil
      #expect(await eventually { storage.text != nil })
    }
  }

  @Test("A store sees what another one saves, and each keeps the fields of the other")
  func others() async throws {
    let (storage, clock) = (MemoryStorage(), ManualClock())
    let problems = Problems()
    let stores = (0..<2).map { _ in PersistentStore(storage, clock: clock, onProblem: { problems.add($0) }) }
    let (a, b) = (stores.map { $0.value("a", default: 0) }, stores.map { $0.value("b", default: 0) })
    a[0].set(1)
    b[1].set(2)
    try await stores[0].save()
    try await stores[1].save()
    #expect(await eventually { a[1].value == 1 && b[0].value == 2 })
    #expect(problems.all.isEmpty)
    // A store that nobody needs any more ends.
    withExtendedLifetime(stores) {}
  }

  @Test("Two stores that change the same value: the last one wins, and reports it")
  func conflict() async throws {
    let (storage, problems) = (MemoryStorage(), Problems())
    let second = PersistentStore(NotWatched(storage), interval: .seconds(1000), onProblem: { problems.add($0) })
    let b = second.value("a", default: 0)
    let first = PersistentStore(storage, interval: .seconds(1000), onProblem: { problems.add($0) })
    first.value("a", default: 0).set(1)
    try await first.save()
    b.set(2)
    try await second.save()
    #expect(problems.all.map(\.description) == [PersistenceProblem.overwritten(key: "a").description])
    #expect(PersistentStore(storage).value("a", default: 0).value == 2)
  }

  @Test("Fields that this program does not know stay as they are written")
  func unknown() async throws {
    let storage = MemoryStorage(#"{"version": 1, "values": {"x": 0.10000000000000000001, "y": {"z": "}"}, "a": 1}}"#)
    let store = PersistentStore(storage)
    store.value("a", default: 0).set(2)
    try await store.save()
    #expect(storage.text?.contains("0.10000000000000000001") == true && storage.text?.contains(#"{"z": "}"}"#) == true)
  }

  @Test("An older version is migrated, and saved with the next change")
  func migration() async throws {
    let storage = MemoryStorage(#"{"version": 1, "values": {"vol": 70, "old": 1}}"#)
    let store = PersistentStore(
      storage, version: 2,
      migrate: { fields, version in
        #expect(version == 1)
        try fields.set("volume", to: Double(fields.value("vol", as: Int.self) ?? 50) / 100)
        fields.remove("vol")
        fields.rename("old", to: "new")
      })
    let volume = store.value("volume", default: 0.0)
    #expect(volume.value == 0.7 && store.value("new", default: 0).value == 1)
    volume.set(0.8)
    try await store.save()
    #expect(storage.text?.contains("\"version\": 2") == true && storage.text?.contains("vol\"") == false)
  }

  @Test("The wrappers: read, observed and assigned")
  @MainActor func wrappers() async throws {
    let storage = MemoryStorage()
    final class Settings {
      @Persisted var volume: Double
      @MainPersisted var name: String
      @MainActor init(_ store: PersistentStore) {
        _volume = Persisted(wrappedValue: 0.5, "volume", in: store)
        _name = MainPersisted(wrappedValue: "none", "name", in: store)
      }
    }
    let store = PersistentStore(storage)
    let settings = Settings(store)
    let names = settings.$name.record()
    settings.$volume.set(0.7)
    settings.name = "Player 1"
    #expect(settings.volume == 0.7 && names.values.map(\.new) == ["Player 1"])
    try await store.save()
    let next = Settings(PersistentStore(storage))
    #expect(next.volume == 0.7 && next.name == "Player 1")
  }

  @Test("Two stores of one file see each other's changes by events of the file system")
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-persistence-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "settings.json")
    let stores = (0..<2).map { _ in PersistentStore(file: file) }
    let values = stores.map { $0.value("a", default: 0) }
    values[0].set(7)
    try await stores[0].save()
    #expect(await eventually { values[1].value == 7 })
    for store in stores { await store.close() }
  }
}

/// A storage whose changes are not noticed.
private struct NotWatched: PersistentStorage {
  let storage: MemoryStorage
  init(_ storage: MemoryStorage) { self.storage = storage }
  func load() throws -> Data? { try storage.load() }
  func replace(_ change: (Data?) throws -> Data?) throws { try storage.replace(change) }
  func setAside() -> String? { nil }
  func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? { nil }
}
