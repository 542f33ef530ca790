import TidingsMacros

@ObservedProperties final class Order {
  var quantity = 1
  // error: 'text' may not use the object itself, which '$text' does not keep: write the properties that it reads
  @Derived var text: String { "\(describe(self)) \(quantity)" }
}

func describe(_ order: Order) -> String { "order" }
