// The lines of the page Persistence.
import Foundation
import Tidings
import TidingsCollections
import TidingsPersistence

struct Window: Codable {
  var width = 800
  var height = 600
}

struct Position: Codable, Equatable, Identifiable {
  let id: Int
  let symbol: String
  static let examples = [Position(id: 1, symbol: "AAPL")]
}

let folder = FileManager.default.temporaryDirectory.appending(path: "persistence-\(UUID())")
let file = folder.appending(path: "settings.json")
let store = PersistentStore(file: file)

@MainActor final class Settings {
  @MainPersisted("volume", in: store) var volume = 0.5
  @MainPersisted("window", in: store) var window = Window()
}

@MainActor final class Preferences {
  @MainPersisted var volume: Double
  init(_ store: PersistentStore) { _volume = MainPersisted(wrappedValue: 0.5, "volume", in: store) }
}
@MainActor final class Sound {
  @MainPersisted("volume", in: store) var volume = 0.5
  @MainPersisted("isMuted", in: store) var isMuted = false
  private(set) lazy var loudness = Derived { [$volume, $isMuted] in $isMuted.value ? 0 : $volume.value }
  private(set) lazy var changes = PropertyChanges<Sound>(
    .init(main: \.$volume, $volume), .init(main: \.$isMuted, $isMuted))
}
final class Counter {
  @Persisted("count", in: store) var count = 0
}
@MainActor final class Player {
  @Persisted("volume", in: store) var volume = 0.5
  @Persisted("name", in: store) var name = "Player 1"
}
@MainActor final class Slider { var position = 0.0 }
@MainActor func showing(_ settings: Settings, _ player: Player, _ slider: Slider) -> Subscription {
  player.$volume.set(0.7)
  let showing = settings.$volume.observe(.initial) { change in slider.position = change.new }
  return showing
}

let settings = Settings()
settings.volume = 0.7
settings.window.width = 900
Counter().$count.update { $0 += 1 }
await store.close()

func collected() -> ObservedArray<Position> {
  let store = PersistentStore(MemoryStorage())
  let positions = store.collection("positions", as: ObservedArray.self, default: Position.examples)
  positions.append(Position(id: 5, symbol: "TIDE"))
  return positions
}
func migrated() -> PersistentStore {
  let store = PersistentStore(file: file, version: 2) { fields, version in
    if version < 2 { fields.rename("vol", to: "volume") }
  }
  return store
}
func converted() -> PersistentStore {
  let store = PersistentStore(file: file, version: 3) { fields, version in
    if version < 2 { fields.rename("vol", to: "volume") }
    if version < 3, let percents = try fields.value("volume", as: Int.self) {
      try fields.set("volume", to: Double(percents) / 100)
    }
  }
  return store
}
func tested() {
  let storage = MemoryStorage()
  let store = PersistentStore(storage)
  let name = store.value("name", default: "Player 1")
  name.set("Player 2")
}
func moved() async {
  let settings = PersistentStore(file: URL(filePath: "settings.json"))
  let volume = settings.value("volume", default: 0.5)  // Observed<Double>
  let window = settings.value("window", default: Window())
  print(window.value)
  volume.set(0.7)  // in the file within half a second
  await settings.close()  // at the latest here
}
func commented(_ url: URL) {
  do {
    let settings = PersistentStore(UserDefaultsStorage())
    _ = settings
  }
  let settings = PersistentStore(file: url, version: 2) { fields, version in
    if version < 2 {
      fields.rename("vol", to: "volume")
      let percents = try fields.value("volume", as: Int.self) ?? 50
      try fields.set("volume", to: Double(percents) / 100)
    }
  }
  _ = settings
}
tested()
print(collected().value.count)
print(migrated().value("volume", default: 0.0).value)
try FileManager.default.removeItem(at: folder)
