/// The prices of each company as a line of blocks, and under it what its handlers received and when.
@MainActor
struct Chart {
  private let market: Market
  private let highs: [Move]
  private let falls: [Move]
  private let symbolWidth: Int
  private let priceWidth: Int
  /// Months in one column of the chart.
  private let step: Int
  private let start: Int
  private let columns: Int

  init(market: Market, highs: [Move], falls: [Move]) {
    (self.market, self.highs, self.falls) = (market, highs, falls)
    symbolWidth = max(4, market.symbols.map(\.count).max() ?? 0)
    priceWidth = max(6, market.closes.map(\.close.dollars.count).max() ?? 0)
    let width = Page.width - symbolWidth - 2 * priceWidth - 21
    start = market.months[0].closes[0].day.monthNumber
    let span = market.months[market.months.count - 1].closes[0].day.monthNumber - start + 1
    step = (span + width - 1) / width
    columns = (span + step - 1) / step
  }

  func print(rows: Int, on page: Page) {
    let byCompany = Dictionary(grouping: market.closes, by: \.symbol)
    let highs = Dictionary(grouping: highs, by: \.price.symbol)
    let falls = Dictionary(grouping: falls, by: \.price.symbol)
    let title = step == 1 ? "month by month" : "\(step) months a column"
    let width = max(columns, title.count)
    page.line(
      "  " + "".padded(to: symbolWidth) + "first".aligned(to: priceWidth + 1) + "  " + title.padded(to: width)
        + "last".aligned(to: priceWidth + 2) + "highs".aligned(to: 7) + "falls".aligned(to: 7))
    for symbol in market.symbols.prefix(rows) {
      let closes = byCompany[symbol] ?? []
      let (ups, downs) = (highs[symbol] ?? [], falls[symbol] ?? [])
      page.line(
        "  " + page.styled(symbol, .bold) + "".padded(to: symbolWidth - symbol.count)
          + closes[0].close.dollars.aligned(to: priceWidth + 1) + "  " + curve(of: closes).padded(to: width)
          + closes[closes.count - 1].close.dollars.aligned(to: priceWidth + 2)
          + String(ups.count).aligned(to: 7) + String(downs.count).aligned(to: 7))
      guard !ups.isEmpty || !downs.isEmpty else { continue }
      page.line("".padded(to: symbolWidth + priceWidth + 5) + marks(ups: ups, downs: downs, on: page))
    }
    if market.symbols.count > rows {
      page.line("  … and \(market.symbols.count - rows) more, whose handlers listened as well.")
    }
  }

  private func column(of price: Price) -> Int { (price.day.monthNumber - start) / step }

  /// The last close in each column.
  private func curve(of closes: [Price]) -> String {
    var values = [Double?](repeating: nil, count: columns)
    for price in closes { values[column(of: price)] = price.close }
    return String(sparkline(values))
  }

  private func marks(ups: [Move], downs: [Move], on page: Page) -> String {
    let ups = Set(ups.map { column(of: $0.price) })
    let downs = Set(downs.map { column(of: $0.price) })
    return (0..<columns).map { column in
      switch (ups.contains(column), downs.contains(column)) {
      case (true, true): "◆"
      case (true, false): page.styled("▲", .green)
      case (false, true): page.styled("▼", .red)
      case (false, false): " "
      }
    }.joined()
  }
}
