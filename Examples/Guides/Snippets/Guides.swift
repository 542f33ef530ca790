// The code that the guides show, as one program.
import Tidings
import TidingsDispatch

struct Trade: Sendable, CustomStringConvertible {
  let symbol: String
  let price: Double
  init(_ symbol: String, price: Double) {
    self.symbol = symbol
    self.price = price
  }
  var description: String { "\(symbol) at \(price)" }
}
struct Price: Sendable {
  let symbol: String
  let value: Double
}
@Sendable func archive(_ price: Price) {}

// Tidings
final class Display: Sendable {
  func flash(_ symbol: String) { print("*", symbol) }
}
func overview() {
  let board = Display()
  let traded = Event<Trade>("market.traded")

  let subscription = traded.observe { trade in print(trade) }
  traded.filter { $0.price > 100 }.map { $0.symbol }.observe(with: board) { board, symbol in board.flash(symbol) }

  traded.emit(Trade("MSFT", price: 39.81))
  traded.emit(Trade("AMZN", price: 134.52))
  subscription.cancel()
}

// Isolation
@MainActor final class Board {
  var last: [String: Double] = [:]
  private var subscriptions: Set<Subscription> = []

  func follow(_ priced: Event<Price>) {
    priced.observe { [weak self] price in self?.last[price.symbol] = price.value }
      .store(in: &subscriptions)
  }
}

actor Ledger {
  var prices: [Price] = []

  func follow(_ priced: Event<Price>) {
    priced.observe(with: self) { ledger, price in ledger.prices.append(price) }
  }
}

func queues(_ priced: Event<Price>) -> Subscription {
  let subscription = priced.observe(on: .queue(.global())) { price in archive(price) }
  return subscription
}

// Lifetime
enum Kept {
  final class Chart {
    private var subscriptions: Set<Subscription> = []
    func follow(_ priced: Event<Price>) {
      priced.observe { price in print(price) }.store(in: &subscriptions)
    }
  }
}
enum Owning {
  final class Chart: Sendable {
    func draw(_ price: Price) {}
  }
  static func follow(_ chart: Chart, _ priced: Event<Price>) {
    priced.observe(with: chart) { chart, price in chart.draw(price) }
  }
}

overview()
