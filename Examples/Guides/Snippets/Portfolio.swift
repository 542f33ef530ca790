import Tidings

let apple = Observed(200.0)
let amazon = Observed(70.0)
let portfolio = Derived { apple.value + amazon.value }
let worth = portfolio.observe { change in print("worth \(change.new)") }

transaction {
  apple.set(150)
  amazon.set(130)
}
print(portfolio.value == apple.value + amazon.value)
