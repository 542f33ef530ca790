@ObservedProperties @MainActor public final class TradeTicket {
  public var quantity = 1
  @ObservedAs(.distinct) public var price = 100.0
  var limit: Double
  var note: String?
  private(set) var fills: [Int] = []
  var tool: Tool = Tool()
  @Unobserved var cache: [String: Int] = [:]
  let fee = 2.0
  static let shared = TradeTicket(limit: 1)
  @Derived public var total: Double { Double(quantity) * self.price + fee }
  @Derived var line: String {
    guard let note else { return "\($quantity.value)" }
    return "\(note) \(total)"
  }
  var title: String { "\(quantity)" }
}
