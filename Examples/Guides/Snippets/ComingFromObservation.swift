import Observation
import Tidings

@MainActor @Observable final class ObservableCart {
  var price = 100
  var quantity = 1
  var total: Int { price * quantity }
}
@MainActor func follow(_ cart: ObservableCart) {
  withObservationTracking {
    print("total", cart.total)
  } onChange: {
    Task { @MainActor in follow(cart) }
  }
}

@MainActor final class Cart {
  @Observed var price = 100
  @Observed var quantity = 1
  private(set) lazy var total = Derived { [$price, $quantity] in $price.value * $quantity.value }
}
let cart = Cart()
let following = cart.total.observe(.initial) { change in print("total", change.new) }
cart.$price.set(150)
cart.$quantity.update { $0 += 1 }
