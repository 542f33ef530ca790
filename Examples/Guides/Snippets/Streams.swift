// The code that the guide and the documentation comments show of streams, as one program.
import Tidings

struct Trade: Sendable {
  let symbol: String
  let price: Double
}
@Sendable func show<Shown: Sendable>(_ shown: Shown) { print(shown) }
@Sendable func archive(_ trade: Trade) { print("archived", trade.symbol) }
@Sendable func record(_ trade: Trade, as number: Int) { print(number, trade.symbol) }

// MARK: The loop

/// A day of a market: it is deinitialized when all is emitted, and its streams end with it.
func day() -> (EventStream<Trade>, EventStream<String>) {
  let traded = Event<Trade>("market.traded")
  let trades = traded.stream()
  let dear = traded.filter { $0.price > 100 }.map { $0.symbol }.stream()
  for price in [39.81, 1_010] { traded.emit(Trade(symbol: "MSFT", price: price)) }
  return (trades, dear)
}
func overview() async {
  let (trades, dear) = day()
  for await trade in trades { show(trade) }
  for await symbol in dear { show(symbol) }
}

// MARK: Buffers

func buffering(_ traded: Event<Trade>) async {
  for await trade in traded.stream(buffering: .newest(64)) { show(trade) }
  for await (number, trade) in traded.stream(buffering: .newest(64)).numbered { record(trade, as: number) }
}
func missing(_ traded: Event<Trade>) async {
  let trades = traded.stream(buffering: .newest(64))
  for await (number, trade) in trades.numbered { record(trade, as: number) }
  print("dropped \(trades.droppedCount)")
}
func working(_ traded: Event<Trade>) {
  let stream = traded.stream(buffering: .oldest(1000))
  Task { for await trade in stream { archive(trade) } }
}

// MARK: The end, several consumers

func finishing(_ traded: Event<Trade>) async {
  let trades = traded.stream()
  let watching = Task { for await trade in trades { show(trade) } }
  trades.subscription.pause()  // what waits is dropped, what comes is not received
  trades.subscription.resume()
  watching.cancel()
  await watching.value
}
func several(_ traded: Event<Trade>) {
  let (shown, archived) = (traded.stream(buffering: .newest(64)), traded.stream())
  Task { for await trade in shown { show(trade) } }
  Task { for await trade in archived { archive(trade) } }
}

// MARK: Values

func values() async {
  let price = Observed(100.0)
  let following = Task {
    for await price in price.stream(.latest) { show(price) }
  }
  price.set(101)
  following.cancel()
  await following.value
}

// MARK: One value

func one(_ traded: Event<Trade>) async {
  guard let first = await traded.next() else { return }
  let dear = await traded.first { $0.price > 1_000 }
  print(first, dear ?? first)
}
func answered(_ question: String) async {
  let (asked, answered) = (Event<String>("asked"), Event<String>("answered"))
  asked.once { answered.emit("\($0) 42.") }
  let answers = answered.stream(buffering: .oldest(1))
  asked.emit(question)
  for await answer in answers.prefix(1) { show(answer) }
}

// MARK: A producer that waits

actor Ledger {
  private(set) var trades: [Trade] = []
  func write(_ trade: Trade) { trades.append(trade) }
}
func paced(_ traded: Event<Trade>, _ ledger: Ledger, _ trades: [Trade]) async {
  traded.observe(with: ledger) { ledger, trade in ledger.write(trade) }
  for trade in trades { await traded.emitAndWait(trade) }
  print(await ledger.trades.count, "written")
}

/// Until it waits for something that does not come.
func briefly(_ body: @escaping @Sendable () async -> Void) async {
  let task = Task { await body() }
  task.cancel()
  await task.value
}

let traded = Event<Trade>("market.traded")
await overview()
await briefly { await buffering(traded) }
await briefly { await missing(traded) }
await briefly { await one(traded) }
await finishing(traded)
await values()
await answered("6 × 7?")
working(traded)
several(traded)
await paced(traded, Ledger(), [Trade(symbol: "MSFT", price: 39.81)])
