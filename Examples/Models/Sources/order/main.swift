// The model of the project's README.
import Observation
import TidingsMacros

@ObservedProperties @MainActor final class Order: Observable {
  var quantity = 1
  var price = 100
  @Derived var total: Int { quantity * price }
}
let order = Order()
let totals = order.$total.observe { change in print("total \(change.new)") }
order.quantity += 2
