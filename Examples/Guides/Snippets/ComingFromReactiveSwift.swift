import Tidings

let price = Observed(100)
let quantity = Observed(2)
let total = Derived { price.value * quantity.value }
let shown = total.observe(.initial) { change in print("total", change.new) }
price.set(150)
quantity.update { $0 += 1 }
