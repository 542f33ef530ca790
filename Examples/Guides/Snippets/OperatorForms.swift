// swift-format-ignore-file: OnlyOneTrailingClosureArgument

// The code that the documentation comments show of operators, of values made of events and of pumps.
import Tidings

struct Trade: Sendable {
  let symbol: String
  let price: Double
  let quantity = 1
}
struct Order: Sendable { let filled = Event<Trade>() }
struct Document: Sendable { let pages = Event<Int>() }
struct Statistics: Sendable {
  var count = 0
  mutating func add(_ trade: Trade) { count += 1 }
}
enum State: Sendable { case offline, online }
enum Key: Sendable { case `return` }
final class Metrics: Sendable {
  func add() {}
  func remove() {}
}
struct Market: Sendable {
  let all = Event<Double>()
  func priced(_ symbol: String) -> Event<Double> { all }
}
@Sendable func show(_ trade: Trade) {}
@Sendable func expensiveParse(_ line: String) -> Int { line.count }

func ends(_ traded: Event<Trade>, _ priced: Event<Double>) {
  let opening = traded.prefix(3)
  let calm = priced.prefix { $0 < 100 }
  let later = traded.dropFirst()
  let afterOpening = priced.drop { $0 == 0 }
  _ = (opening, calm, later, afterOpening)
}
func ends(_ traded: Event<Trade>, _ closed: Event<Void>, _ price: Observed<Double>) throws -> Subscription {
  let session = traded.prefix(until: closed)
  var trades: AnyEventSource<Trade> { AnyEventSource(traded) }
  let subscription: Subscription
  subscription = traded.map(\.price).assign(to: price)
  if traded.subscriptionCount > 0 { traded.emit(try loadTrade()) }
  _ = (session, trades)
  return subscription
}
func flattens(_ ordered: Event<Order>, _ opened: Event<Document>) {
  let fills = ordered.flatMap { order in order.filled }
  let pages = opened.flatMap(maximum: 1) { document in document.pages }  // one document after the other
  _ = (fills, pages)
}
func loadTrade() throws -> Trade { Trade(symbol: "MSFT", price: 39.81) }
struct Missing: Error { let symbol: String }
func recovers(_ results: Event<Result<Double, Missing>>, _ cached: [String: Double]) {
  let prices = results.catch { failure in cached[failure.symbol] }
  _ = prices
}

func pairs(
  _ traded: Event<Trade>, _ priced: Event<Double>, _ ordered: Event<Order>, _ bought: Event<Trade>, _ sold: Event<Trade>
) {
  let moves = priced.pairwise().map { $0.1 - $0.0 }
  let pages = traded.collect(100)
  let volumes = traded.scan(into: [:]) { volume, trade in volume[trade.symbol, default: 0] += trade.quantity }
  let quoted = ordered.withLatest(from: priced)  // AnyEventSource<(Order, Double)>
  let matched = bought.zip(sold)  // AnyEventSource<(Trade, Trade)>
  _ = (moves, pages, volumes, quoted, matched)
}

func sharing(
  _ traded: Event<Trade>, _ connected: Event<Void>, _ lines: Event<String>, _ selected: Event<String>,
  _ selectedTicker: Event<Event<Double>>, _ market: Market, _ metrics: Metrics
) {
  let state = connected.map { "online" }.startWith("offline")
  let parsed = lines.map { expensiveParse($0) }.share()
  let recent = traded.replay(10)
  let watched = traded.handleEvents(onSubscribe: { metrics.add() }, onEnd: { metrics.remove() })
  do {
    let ticks = selected.flatMapLatest { symbol in market.priced(symbol) }
    _ = ticks
  }
  do {
    let ticks = selectedTicker.switchToLatest()
    _ = ticks
  }
  let subscription = traded.print("trades").filter { $0.price > 100 }.observe { show($0) }
  _ = (state, parsed, recent, watched, subscription)
}

func values(_ traded: Event<Trade>, _ changed: Event<State>, _ price: Observed<Double>) {
  let connection = changed.hold(.offline)  // ReadOnly<State>
  print(connection.value)
  let lastTrade = traded.hold(nil)  // ReadOnly<Trade?>
  let statistics = traded.reduce(into: Statistics()) { statistics, trade in statistics.add(trade) }
  let jumps = price.changes.filter { $0.new > 2 * ($0.old ?? $0.new) }
  _ = (lastTrade, statistics, jumps)
}

struct Sensor {
  let readings: AsyncStream<Double>
}
func pumps(_ pressed: Event<Key>, _ keys: AsyncStream<Key>) async {
  let pump = pressed.emit(each: keys)
  await pump.finished()
}
func pumps(_ read: Event<String>, _ lines: AsyncThrowingStream<String, any Error>) {
  let pump = read.emit(each: lines, onError: { print("no more lines:", $0) })
  pump.cancel()
}
func pumps(_ temperature: Observed<Double>, _ sensor: Sensor) {
  let pump = temperature.set(each: sensor.readings)
  pump.cancel()
}

func forEver(_ traded: Event<Trade>) {
  traded.observe { trade in print(trade) }.forever()
}
struct Page: Sendable {}
enum DownloadError: Error { case lost }
struct Database { func insert(_ trades: [Trade]) throws {} }
@Sendable func show(_ page: Page) {}
func failing() async throws {
  let downloaded = Event<Result<Page, DownloadError>>("downloads")
  for try await page in downloaded.throwingStream() { show(page) }
}
func batches(_ traded: Event<Trade>, _ database: Database) async throws {
  for await trades in traded.stream().batches(upTo: 500) { try database.insert(trades) }
}
func drops(_ traded: Event<Trade>) {
  let dropped = Observed(0)
  let trades = traded.stream(buffering: .newest(64), addingDropsTo: dropped)
  let alarm = dropped.observe { change in print("dropped \(change.new)") }
  _ = (trades, alarm)
}
