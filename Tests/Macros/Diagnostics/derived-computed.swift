import TidingsMacros

@ObservedProperties final class Order {
  var quantity = 1
  var doubled: Int { quantity * 2 }
  // error: 'total' reads 'doubled', which is computed from the object: write '@Derived' on 'doubled'
  @Derived var total: Int { doubled + 1 }
}
