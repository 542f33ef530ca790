import TidingsMacros

@ObservedProperties final class Order {
  var quantity = 1
  @Unobserved var discount = 1
  // error: 'total' reads 'discount', whose changes are not observed: remove '@Unobserved' from 'discount'
  @Derived var total: Int { quantity - discount }
}
