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

  @Test("What a newer version has stored, or a migration rejects, is neither loaded nor changed")
  func newer() async throws {
    struct Failure: Error {}
    for (text, migrated) in [
      (#"{"version": 9, "values": {"a": 1}}"#, false), (#"{"version": 1, "values": {"a": 1}}"#, true),
    ] {
      let (storage, problems) = (MemoryStorage(text), Problems())
      let store = PersistentStore(
        storage, version: 2, onProblem: { problems.add($0) }, migrate: { _, _ in throw Failure() })
      let a = store.value("a", default: 0)
      #expect(a.value == 0)
      a.set(5)
      await #expect(throws: PersistenceProblem.self) { try await store.save() }
      await store.close()
      #expect(storage.text == text && problems.all.count == 1)
      _ = migrated
    }
  }

  @Test(
    "Text that does not decode is set aside and reported, and the store works",
    arguments: ["", "{", "[]", "{}", "\u{0}"])
  func unreadable(_ text: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-persistence-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "settings.json")
    try Data(text.utf8).write(to: file)
    let problems = Problems()
    let store = PersistentStore(file: file, onProblem: { problems.add($0) })
    let a = store.value("a", default: 0)
    a.set(1)
    try await store.save()
    #expect(PersistentStore(file: file).value("a", default: 0).value == 1)
    let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("unreadable") }
    // An empty file is one without values.
    #expect(aside.count == (text.isEmpty ? 0 : 1) && problems.all.isEmpty == text.isEmpty)
  }

  @Test("A field of another type is reported, and its value begins with the default")
  func undecodable() async throws {
    let (storage, problems) = (MemoryStorage(#"{"version": 1, "values": {"a": "text", "b": 2}}"#), Problems())
    let store = PersistentStore(storage, onProblem: { problems.add($0) })
    #expect(store.value("a", default: 5).value == 5 && store.value("b", default: 0).value == 2)
    #expect(problems.all.count == 1)
  }

  @Test("What cannot be saved is reported once, and saved when that is possible")
  func failure() async throws {
    let (storage, clock, problems) = (Failing(), ManualClock(), Problems())
    let store = PersistentStore(storage, interval: .seconds(1), clock: clock, onProblem: { problems.add($0) })
    let a = store.value("a", default: 0)
    storage.fails.withLock { $0 = true }
    a.set(1)
    for _ in 0..<3 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(60))
    }
    #expect(problems.all.count == 1)
    storage.fails.withLock { $0 = false }
    let isSaved = await eventually {
      clock.advance(by: .seconds(60))
      return storage.memory.text != nil
    }
    #expect(isSaved)
    withExtendedLifetime(store) {}
  }

  @Test("A value that cannot be encoded is reported by save(), and the others are saved")
  func notEncodable() async throws {
    let (storage, problems) = (MemoryStorage(), Problems())
    let store = PersistentStore(storage, onProblem: { problems.add($0) })
    let (number, limit, other) = (
      store.value("x", default: 0.5), store.value("limit", default: Double.infinity), store.value("a", default: 0)
    )
    other.set(1)
    try await store.save()
    #expect(problems.all.isEmpty && limit.value == .infinity)
    number.set(.nan)
    other.set(2)
    await #expect(throws: PersistenceProblem.self) { try await store.save() }
    #expect(PersistentStore(storage).value("a", default: 0).value == 2)
    number.set(1)
    try await store.save()
    #expect(PersistentStore(storage).value("x", default: 0.0).value == 1)
  }

  @Test("A storage that is emptied or spoiled beside the store gets all its fields again, with one report")
  func spoiled() async throws {
    for text in [nil, "", "{ half"] as [String?] {
      let (storage, problems) = (
        MemoryStorage(#"{"version": 1, "values": {"a": 1, "b": 2, "unknown": [3]}}"#), Problems()
      )
      let store = PersistentStore(storage, interval: .seconds(1000), onProblem: { problems.add($0) })
      let (a, b) = (store.value("a", default: 0), store.value("b", default: 0))
      storage.text = text
      a.set(5)
      try await store.save()
      b.set(6)
      try await store.save()
      let next = PersistentStore(storage)
      #expect(next.value("a", default: 0).value == 5 && next.value("b", default: 0).value == 6)
      let unknown: Observed<[Int]> = next.value("unknown", default: [])
      #expect(unknown.value == [3])
      #expect(problems.all.count == (text == "{ half" ? 1 : 0), "\(problems.all)")
    }
  }

  @Test("A field that another process stores in another type is reported once")
  func undecodableFromElsewhere() async throws {
    let (storage, problems) = (MemoryStorage(), Problems())
    let store = PersistentStore(storage, interval: .seconds(1000), onProblem: { problems.add($0) })
    let (a, b) = (store.value("a", default: 0), store.value("b", default: 0))
    storage.text = #"{"version": 1, "values": {"a": "text"}}"#
    for number in 1...3 {
      b.set(number)
      try await store.save()
    }
    #expect(a.value == 0 && problems.all.count == 1)
    a.set(1)
    try await store.save()
    #expect(storage.text?.contains(#""a": 1"#) == true)
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

/// The problems that a store has reported.
final class Problems: Sendable {
  private let problems = Locked<[PersistenceProblem]>([])
  var all: [PersistenceProblem] { problems.current }
  func add(_ problem: PersistenceProblem) { problems.withLock { $0.append(problem) } }
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

/// A storage on a disk that is full, at times.
private final class Failing: PersistentStorage {
  let memory = MemoryStorage()
  let fails = Locked(false)
  func load() throws -> Data? { try memory.load() }
  func replace(_ change: (Data?) throws -> Data?) throws {
    if fails.current { throw CocoaError(.fileWriteOutOfSpace) }
    try memory.replace(change)
  }
  func setAside() -> String? { nil }
  func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? { nil }
}
