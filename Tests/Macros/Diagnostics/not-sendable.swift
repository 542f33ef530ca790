import TidingsMacros

final class Formatter { var width = 1 }

@ObservedProperties @MainActor final class Order {
  // error: type 'Formatter' does not conform to the 'Sendable' protocol
  var formatter = Formatter()
  // error: type 'Formatter' does not conform to the 'Sendable' protocol
  private(set) var other: Formatter?
  // error: type 'Formatter' does not conform to the 'Sendable' protocol
  @Derived var made: Formatter { Formatter() }
}
