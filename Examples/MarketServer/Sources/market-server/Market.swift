import ServiceLifecycle
import Tidings

/// The market: values for each price, what is derived of them, and the event that clients follow.
///
/// ```
/// price.MSFT ─┐                                   ┌─▶ stream of a client
/// price.AMZN ─┼─▶ market.portfolio ─▶ market.tick ─▶ market.ticked ─┼─▶ stream of a client
/// price.…    ─┘                                   └─▶ stream of a client
/// ```
final class Market: Service {
  /// The first message that a client receives, so that its charts begin full.
  struct Opening: Codable, Equatable {
    let symbols: [String]
    let ticks: [Tick]
  }

  let symbols: [String]
  /// Each tick as the clients receive it. It is finished when the program ends.
  let ticked = Event<Message>("market.ticked")
  /// The number of messages dropped for slow clients, over all clients.
  let dropped = Observed(0, label: "market.dropped")
  /// The newest ticks, as one message. It is encoded when a client asks for it, once for all that ask between two ticks.
  let opening: Derived<Message>

  /// How many ticks there were.
  var ticks: Int { number.value }

  private let history: History
  private let interval: Duration
  private let prices: [Observed<Double?>]
  private let month = Observed("", label: "market.month")
  private let number = Observed(0, label: "market.number")
  private let newest: Observed<[Tick]>
  private let tick: Derived<Tick>

  init(_ history: History, every interval: Duration) {
    (self.history, self.interval, symbols) = (history, interval, history.symbols)
    let prices = history.symbols.map { Observed<Double?>(nil, label: "price.\($0)") }
    let portfolio = Derived("market.portfolio") { prices.reduce(0) { sum, price in sum + 10 * (price.value ?? 0) } }
    tick = Derived("market.tick") { [number, month] in
      Tick(
        number: number.value, month: month.value, prices: prices.map(\.value),
        portfolio: (portfolio.value * 100).rounded() / 100)
    }
    let newest = Observed<[Tick]>([], label: "market.newest")
    opening = Derived("market.opening") { [symbols] in
      Message(event: "opening", Opening(symbols: symbols, ticks: newest.value))
    }
    (self.prices, self.newest) = (prices, newest)
  }

  /// Replays the months, and begins again after the last, until the program is asked to end.
  func run() async {
    let ticking = tick.observe { [ticked, newest, history] change in
      newest.update { ticks in ticks = ticks.suffix(history.months.count - 1) + [change.new] }
      ticked.emit(Message(change.new))
    }
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        for (name, row) in history.months where !Task.isCancelled {
          // This is one transaction, so it makes one tick for all of its changes.
          transaction {
            number.update { $0 += 1 }
            month.set(name)
            for (price, new) in zip(prices, row) { price.set(new) }
          }
          try? await Task.sleep(for: interval)
        }
      }
    }
    ticking.cancel()
    // The streams of all clients end when they have delivered what they hold.
    ticked.finish()
  }
}
