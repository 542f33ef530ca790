import TidingsMacros

@ObservedProperties final class Settings: Sendable {
  // error: 'items' would have a setter, and threads share it: give it an initial value and write '_items.set(…)' in 'init', or remove 'private(set)'
  private(set) var items: [Int]
  // error: 'volume' would have a setter, and threads share it: give it an initial value and write '_volume.set(…)' in 'init', or remove 'fileprivate(set)'
  fileprivate(set) var volume: Double  // between 0 and 1
  private(set) var note: String?
  init(items: [Int], volume: Double) {
    self.items = items
    self.volume = volume
    _note.set("new")
  }
  func append() { items.append(1) }
}
