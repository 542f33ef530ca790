import TidingsMacros

@ObservedProperties final class Settings: Sendable {
  private(set) var count = 0
  private(set) var volume: Double
  init(volume: Double) { self.volume = volume }
  func mute() {
    // error: 'volume' has no setter, as threads share it, and an assignment may lose what another thread writes: write '_volume.update { … }' or '_volume.set(…)'
    volume = 0
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
