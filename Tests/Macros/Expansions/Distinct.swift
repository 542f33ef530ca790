@ObservedProperties(changes: .distinct) @MainActor final class Settings {
  var volume = 0.5
  @ObservedAs(.every) var theme = ""
}
