// The tour's chapter on models: a trade ticket on the real monthly closes of Microsoft, in 2008 and 2009.
import Foundation
import TidingsMacros

@ObservedProperties @MainActor final class TradeTicket {
  var quantity = 10
  @ObservedAs(.distinct) var price: Double
  var limit = 20.0
  private(set) var fills: [Int] = []
  @Derived var total: Double { Double(quantity) * price }
  @Derived var isBelowLimit: Bool { price < limit }

  init(price: Double) { self.price = price }

  /// Buys as much as the ticket says.
  func fill() { fills.append(quantity) }
}

let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
  path: "../../../../Tour/Resources/stocks.csv")
let closes = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line -> Double? in
  let fields = line.split(separator: ",")
  guard fields.count == 3, fields[0] == "MSFT", fields[1].hasSuffix("2008") || fields[1].hasSuffix("2009") else {
    return nil
  }
  return Double(fields[2])
}
let ticket = TradeTicket(price: closes[0])
var subscriptions: Set<Subscription> = []
var totals = 0
ticket.$total.observe { _ in totals += 1 }.store(in: &subscriptions)
ticket.$isBelowLimit.observe { change in
  print(ticket.price, change.new ? "is below the limit: bought" : "is above it")
  if change.new { ticket.fill() }
}.store(in: &subscriptions)

for close in closes { ticket.price = close }
print("\(closes.count) closes, \(totals) changes of the total, filled \(ticket.$fills.value)")

// Quantity and limit change together: each handler is called once, with both.
transaction {
  ticket.quantity = 20
  ticket.limit = closes[closes.count - 1] + 1
}
print("filled \(ticket.fills)")
