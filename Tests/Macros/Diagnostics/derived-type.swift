import TidingsMacros

struct Price { var amount = 1 }

@ObservedProperties final class Order {
  // error: the type of 'price', which 'total' reads, cannot be inferred by a macro: write 'var price: Type'
  var price = Price()
  @Derived var total: Int { price.amount * 2 }
}
