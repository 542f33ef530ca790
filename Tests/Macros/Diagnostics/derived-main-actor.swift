import TidingsMacros

@MainActor var rate = 2
@MainActor func spent() -> Int { rate }

@ObservedProperties @MainActor final class Order {
  var count = 1
  // error: call to main actor-isolated global function 'spent()' in a synchronous nonisolated context
  @Derived var total: Int { count + spent() }
  @Derived var other: Int {
    let more = count
    // error: main actor-isolated var 'rate' can not be referenced from a nonisolated context
    return more * rate
  }
}

@ObservedProperties final class Settings: Sendable {
  var count = 1
  // error: call to main actor-isolated global function 'spent()' in a synchronous nonisolated context
  @Derived var total: Int { count + spent() }
}
