// A shop's cart. Each line is printed by a handler, in place, before the assignment that caused it returns.
import Foundation
import TidingsMacros

let cart = Cart(customer: "Ada")
var subscriptions: Set<Subscription> = []
cart.$total.observe { change in print("total", change.old ?? 0, "→", change.new) }.store(in: &subscriptions)
cart.$canOrder.observe { change in print(change.new ? "may order" : "may not order") }.store(in: &subscriptions)

cart.add("tea", price: 1_200)
cart.add("tea", price: 1_200)

print("three changes in one transaction:")
let before = cart.snapshot()
transaction {
  cart.isExpress = true
  cart.country = "FR"
  cart.coupon = "TENTH"
}

print("undone:")
cart.restore(before)

print("encoded and decoded:")
let data = try JSONEncoder().encode(cart)
let restored = try JSONDecoder().decode(Cart.self, from: data)
print(restored.items.count, "item,", restored.total, "in total")

print("ordered:")
cart.order()
print(cart.orders, "order,", cart.points, "points")
