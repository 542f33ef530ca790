/// Prices in the order in which a market would have emitted them.
///
/// The rows of a file may be in any order: they are sorted by date, across companies. A month has one price of a
/// company, the one of the latest day. Within a month companies follow each other as they first appear in the file.
struct Market: Sendable {
  /// In order of first appearance.
  let symbols: [String]
  let months: [Month]

  struct Month: Sendable {
    let closes: [Price]
    var name: String { closes[0].day.monthName }
  }

  init(_ prices: [Price]) {
    var ranks: [String: Int] = [:]
    for price in prices where ranks[price.symbol] == nil { ranks[price.symbol] = ranks.count }
    symbols = ranks.keys.sorted { ranks[$0]! < ranks[$1]! }

    let byMonth = Dictionary(grouping: prices, by: \.day.monthNumber)
    months = byMonth.sorted { $0.key < $1.key }.map { _, prices in
      let last = Dictionary(prices.map { ($0.symbol, $0) }) { $0.day > $1.day ? $0 : $1 }
      return Month(closes: last.values.sorted { ranks[$0.symbol]! < ranks[$1.symbol]! })
    }
  }

  /// One price a company and month, oldest first.
  var closes: [Price] { months.flatMap(\.closes) }

  /// Every close with what came before it.
  var moves: [Move] {
    var latest: [String: Move] = [:]
    return closes.map { price in
      let move = Move(price, after: latest[price.symbol])
      latest[price.symbol] = move
      return move
    }
  }
}

/// A price, seen from the one before it.
struct Move: Hashable, Sendable {
  let price: Price
  let before: Price?
  /// Above all earlier prices. The first price has none to beat.
  let isNewHigh: Bool
  /// The highest price so far.
  let high: Double

  init(_ price: Price, after last: Move?) {
    self.price = price
    before = last?.price
    isNewHigh = last.map { price.close > $0.high } ?? false
    high = max(price.close, last?.high ?? 0)
  }

  /// As a fraction: a fall by a tenth is -0.1.
  var change: Double { before.map { price.close / $0.close - 1 } ?? 0 }

  /// A fall by 10 % or more. The margin is for binary fractions: 90 / 100 - 1 is a trifle above -0.1.
  var isSteepFall: Bool { change <= -0.1 + 1e-9 }
}
