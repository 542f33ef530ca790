@ObservedProperties @MainActor final class Screen: Observable {
  var title = "start"
}
