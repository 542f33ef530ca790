import TidingsMacros

@ObservedProperties final class Settings: Sendable {
  var count = 0
  let id: Int

  init(id: Int) {
    self.id = id
    // error: 'count' has a value already, and no setter, as threads share it: write '$count.set(…)', or declare it without an initial value
    self.count = id
  }

  func increment() {
    // error: 'count' has no setter, as threads share it, and an assignment may lose what another thread writes: write '$count.update { … }' or '$count.set(…)'
    count += 1
  }

  func increment(_ number: inout Int) { number += 1 }
  func incrementTwice() {
    // error: 'count' has no setter, as threads share it, and an assignment may lose what another thread writes: write '$count.update { … }' or '$count.set(…)'
    increment(&count)
  }
}
