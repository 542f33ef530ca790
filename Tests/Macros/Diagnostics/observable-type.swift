import Observation
import TidingsMacros

struct Price { var amount = 1 }

@ObservedProperties @MainActor final class Order: Observable {
  // error: the type of 'price', in an 'Observable' class, cannot be inferred by a macro: write 'var price: Type'
  var price = Price()
}
