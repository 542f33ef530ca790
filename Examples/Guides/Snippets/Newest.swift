import Tidings

let priced = Event<Double>("market.priced")
let prices = priced.stream(buffering: .newest(2))
priced.emit(contentsOf: [39.81, 36.35, 43.22])
for await price in prices.prefix(2) { print(price) }
print("dropped \(prices.droppedCount)")
