import Foundation
import Testing
import Tidings
import TidingsPersistence
import TidingsTesting

@Suite("Values that cannot be loaded or saved")
struct PersistenceProblemTests {
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
}

/// The problems that a store has reported.
final class Problems: Sendable {
  private let problems = Locked<[PersistenceProblem]>([])
  var all: [PersistenceProblem] { problems.current }
  func add(_ problem: PersistenceProblem) { problems.withLock { $0.append(problem) } }
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
