import TidingsMacros

/// An item of the cart. Prices are in cents.
struct Item: Equatable, Codable {
  var name: String
  var price: Int
  var count = 1
}

/// A cart of eight observed properties: what a shop's screen shows and edits, kept between launches, with undo.
@ObservedProperties @MainActor final class Cart: Codable {
  var items: [Item] = []
  @ObservedAs(.distinct) var country = "DE"
  var coupon: String?
  var customer: String
  var isGift = false
  var isExpress = false
  var points = 0
  private(set) var orders = 0

  @Derived var subtotal: Int { items.reduce(0) { $0 + $1.price * $1.count } }
  @Derived var discount: Int { coupon == "TENTH" ? subtotal / 10 : 0 }
  @Derived var shipping: Int {
    if items.isEmpty || subtotal >= 5_000, !isExpress { return 0 }
    return (country == "DE" ? 490 : 990) + (isExpress ? 500 : 0)
  }
  @Derived var total: Int { max(0, subtotal - discount + shipping + (isGift ? 300 : 0) - points) }
  @Derived var canOrder: Bool { !items.isEmpty && !customer.isEmpty }

  init(customer: String) { self.customer = customer }

  /// Adds one of an item.
  func add(_ name: String, price: Int) {
    if let index = items.firstIndex(where: { $0.name == name }) {
      items[index].count += 1
    } else {
      items.append(Item(name: name, price: price))
    }
  }

  /// Empties the cart, as one change of all that it changes.
  func order() {
    guard canOrder else { return }
    transaction { (orders, points, items) = (orders + 1, total / 100, []) }
  }
}
