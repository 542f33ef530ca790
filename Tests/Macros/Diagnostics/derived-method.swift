import TidingsMacros

@ObservedProperties final class Order {
  var quantity = 1
  // error: 'total' calls the method 'price', which needs the object: write its code here, or make it 'static' and call 'Self.price'
  @Derived var total: Int { quantity * price() }
  func price() -> Int { 3 }
}
