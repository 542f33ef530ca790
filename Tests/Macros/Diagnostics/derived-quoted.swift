import TidingsMacros

@ObservedProperties @MainActor final class Order {
  var count = 1
  // error: `class` cannot have a '$' in front: write another name
  @Derived var `class`: Int { count }
  func `repeat`() -> Int { count }
  // error: 'total' calls the method 'repeat', which needs the object: write its code here, or make it 'static' and call 'Self.repeat'
  @Derived var total: Int { count + self.repeat() }
}
