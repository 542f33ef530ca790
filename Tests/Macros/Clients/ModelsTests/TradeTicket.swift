import TidingsMacros

/// The model of the guide: what a main-actor screen edits.
@ObservedProperties @MainActor final class TradeTicket {
  var quantity = 1
  @ObservedAs(.distinct) var price = 100.0
  private(set) var fills: [Int] = []
  @Unobserved var cache: [String: Int] = [:]
  let fee = 2.0
  @Derived var total: Double { Double(quantity) * price }
  @Derived var withFee: Double { self.total + self.fee }
  @Derived var filled: Int { fills.reduce(0, +) }

  init(quantity: Int = 1) { self.quantity = quantity }

  func fill(_ count: Int) { fills.append(count) }
}
