import Tidings

let apple = Observed(200)
let amazon = Observed(70)
let portfolio = Derived { apple.value + amazon.value }
let worth = portfolio.observe { change in print("worth \(change.new)") }
transaction {
  apple.set(150)
  amazon.set(130)
}
