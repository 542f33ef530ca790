import Tidings

func before() async {
  let (prices, input) = AsyncStream<Double>.makeStream()
  for price in [39.81, 36.35] { input.yield(price) }
  input.finish()
  for await price in prices { print("shown", price) }
  for await price in prices { print("stored", price) }
}
await before()

let priced = Event<Double>("market.priced")
let (shown, stored) = (priced.stream(), priced.stream(buffering: .newest(1)))
priced.emit(contentsOf: [39.81, 36.35])
priced.finish()
for await price in shown { print("shown", price) }
for await price in stored { print("stored", price) }
