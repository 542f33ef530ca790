import Tidings

let priced = Event<Double>("market.priced")
let highs = priced.scan(0) { max($0, $1) }.removeDuplicates().observe { print("high \($0)") }
priced.once { print("opened at \($0)") }
priced.emit(contentsOf: [39.81, 36.35, 43.22])
highs.cancel()
priced.emit(47.5)
