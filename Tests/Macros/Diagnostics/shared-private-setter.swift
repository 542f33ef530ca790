import TidingsMacros

struct Point: Sendable { var x = 0 }

@ObservedProperties final class Settings: Sendable {
  private(set) var count = 0
  private(set) var items: [Int] = []
  private(set) var point: Point = Point()
  private(set) var volume = 0.5
  init(volume: Double) { _volume.set(volume) }
  func mute() {
    // error: 'volume' has no setter, as threads share it, and an assignment may lose what another thread writes: write '_volume.update { … }' or '_volume.set(…)'
    volume = 0
  }
  func change() {
    // error: setter for 'items' is unavailable: threads share it, and an assignment may lose what another thread writes: write '_items.update { … }' or '_items.set(…)'
    items.append(1)
    // error: setter for 'items' is unavailable: threads share it, and an assignment may lose what another thread writes: write '_items.update { … }' or '_items.set(…)'
    items[0] = 1
    // error: setter for 'point' is unavailable: threads share it, and an assignment may lose what another thread writes: write '_point.update { … }' or '_point.set(…)'
    point.x += 1
  }
}

extension Settings {
  func increment() {
    // error: setter for 'count' is unavailable: threads share it, and an assignment may lose what another thread writes: write '_count.update { … }' or '_count.set(…)'
    count += 1
  }
}

func set(_ settings: Settings) {
  // error: 'set' is unavailable: this value is read-only: its owner sets the value that it shows
  settings.$volume.set(1)
}
