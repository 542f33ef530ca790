import TidingsMacros

@ObservedProperties @MainActor final class Order: @MainActor Equatable {
  var count = 1
  // error: the compiler finds '==' twice in a class with this macro: write 'Equatable' and '==' in an extension
  static func == (one: Order, other: Order) -> Bool { one.count == other.count }
}
