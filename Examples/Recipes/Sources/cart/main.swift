import Tidings
import TidingsState

struct Item: Sendable, Equatable {
  var name: String
  var price: Int
  var count = 1
}

/// Prices are in cents.
@MainActor final class Cart {
  @MainObserved(label: "cart.items", changes: .distinct) var items: [Item] = []
  @MainObserved(label: "cart.country", changes: .distinct) var country = "DE"
  @MainObserved(label: "cart.coupon", changes: .distinct) var coupon: String? = nil

  let subtotal: Derived<Int>
  let discount: Derived<Int>
  let shipping: Derived<Int>
  let total: Derived<Int>
  /// The problems that keep the cart from being ordered.
  let problems: Derived<[String]>
  let history: History

  init() {
    // The values, so that no closure captures the cart.
    let (items, country, coupon) = (_items.projectedValue, _country.projectedValue, _coupon.projectedValue)
    let subtotal = items.map { $0.reduce(0) { $0 + $1.price * $1.count } }
    let discount = Derived("cart.discount") { coupon.value == "TENTH" ? subtotal.value / 10 : 0 }
    let shipping = Derived("cart.shipping") {
      if items.value.isEmpty || subtotal.value >= 5_000 { return 0 }
      return country.value == "DE" ? 490 : 990
    }
    total = Derived("cart.total") { subtotal.value - discount.value + shipping.value }
    problems = Derived("cart.problems") {
      var problems: [String] = []
      if items.value.isEmpty { problems.append("the cart is empty") }
      if let code = coupon.value, code != "TENTH" { problems.append("there is no coupon \(code)") }
      for item in items.value where item.count > 10 { problems.append("at most 10 of \(item.name)") }
      return problems
    }
    history = History(of: items, country, coupon)
    (self.subtotal, self.discount, self.shipping) = (subtotal, discount, shipping)
  }

  /// Adds some of an item.
  func add(_ name: String, price: Int, count: Int = 1) {
    if let index = items.firstIndex(where: { $0.name == name }) {
      items[index].count += count
    } else {
      items.append(Item(name: name, price: price, count: count))
    }
  }
}

func euros(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100) €" }

let cart = Cart()
let subscriptions = [
  cart.total.observe { change in print("total", euros(change.old!), "→", euros(change.new)) },
  cart.problems.observe(.initial) { change in print(change.new.isEmpty ? "ready" : change.new.joined(separator: "; "))
  },
]

print("- tea")
cart.add("tea", price: 1_200)
cart.add("tea", price: 1_200)

print("- to France, with a coupon, as one change")
transaction {
  cart.country = "FR"
  cart.coupon = "TENTH"
}

print("- a wrong coupon")
cart.coupon = "HALF"

print("- undo, undo, redo")
cart.history.undo()
cart.history.undo()
cart.history.redo()

print("- no handler sees half of an order")
struct OutOfStock: Error {}
do {
  try transaction {
    cart.add("pot", price: 4_000)
    cart.coupon = nil
    throw OutOfStock()
  }
} catch { print("not ordered:", error) }
print(euros(cart.total.value), cart.items.count, "item", cart.coupon ?? "")
