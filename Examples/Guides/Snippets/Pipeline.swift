import Tidings

struct Trade: Sendable {
  let symbol: Substring
  let price: Double

  init?(_ line: String) {
    let fields = line.split(separator: ",")
    guard fields.count == 2, let price = Double(fields[1]) else { return nil }
    (symbol, self.price) = (fields[0], price)
  }
}
/// Represents a database: a transaction takes as long for many rows as for one.
actor Database {
  private(set) var rows = 0
  func insert(_ trades: [Trade]) async { rows += trades.count }
}

// The stages: lines, trades, and what is counted on the way.
let line = Event<String>("lines")
let parsed = line.map { Trade($0) }.share()  // parsed once, for both of the following
let trades = parsed.compactMap { $0 }.stream()
let rejected = parsed.filter { $0 == nil }.reduce(into: 0) { count, _ in count += 1 }
let stored = Observed(0)
let progress = stored.changes.filter { $0.new / 2_500 > ($0.old ?? 0) / 2_500 }
  .observe { change in print("\(change.new / 2_500 * 2_500) stored") }

// The end of the pipeline works off what waits, up to 500 rows in a transaction.
let database = Database()
let storing = Task {
  for await batch in trades.batches(upTo: 500) {
    await database.insert(batch)
    stored.update { $0 += batch.count }
  }
}

// Its beginning: any asynchronous sequence of lines.
let input = AsyncStream<String> { input in
  for number in 0..<10_000 { input.yield(number % 1_000 == 999 ? "damaged" : "MSFT,\(number)") }
  for number in 0..<10 { input.yield("AAPL,\(number)") }
  input.finish()
}
await line.emit(each: input).finished()
line.finish()  // the stream ends when what waits was taken
await storing.value
print("\(await database.rows) rows, \(rejected.value) rejected")
