import Tidings

/// Prices arrive as events, and handlers receive what they asked for.
enum Reactions: Chapter {
  static let title = "Prices arrive, handlers react"

  static let summary = """
    Each close is emitted as an event. For every company, one handler gets only new highs (▲), another only falls of \
    10 % or more since its previous close (▼; ◆ where a column has both).
    """

  static let code = """
    let moves = closes.filter { $0.symbol == symbol }
      .scan(Move?.none) { Move($1, after: $0) }.compactMap { $0 }
    moves.filter { $0.isNewHigh }.observe { highs.add($0) }.store(in: &tokens)
    moves.filter { $0.isSteepFall }.observe { falls.add($0) }.store(in: &tokens)
    """

  /// More companies than this are received, but not printed.
  private static let rows = 8

  static func present(of market: Market, on page: Page) async {
    let closes = Event<Price>("market.close")
    let highs = Notes<Move>()
    let falls = Notes<Move>()
    var tokens: Set<Subscription> = []

    for symbol in market.symbols {
      let moves = closes.filter { $0.symbol == symbol }
        .scan(Move?.none) { Move($1, after: $0) }.compactMap { $0 }
      moves.filter { $0.isNewHigh }.observe { highs.add($0) }.store(in: &tokens)
      moves.filter { $0.isSteepFall }.observe { falls.add($0) }.store(in: &tokens)
    }

    let leads = Notes<Race.Lead>()
    let monthEnds = Event<Market.Month>("market.month")
    monthEnds.scan(Race()) { $0.after($1) }.compactMap { $0.lead }
      .removeDuplicates { $0.symbol == $1.symbol }
      .observe { leads.add($0) }.store(in: &tokens)

    for month in market.months {
      closes.emit(contentsOf: month.closes)
      monthEnds.emit(month)
    }
    Chart(market: market, highs: highs.items, falls: falls.items).print(rows: rows, on: page)
    printSteepest(of: falls.items, on: page)
    if market.symbols.count > 1 { printLeads(leads.items, on: page) }
  }

  private static func printSteepest(of falls: [Move], on page: Page) {
    page.line()
    guard !falls.isEmpty else { return page.say("No handler noted a fall of 10 % or more.") }
    let steepest = Array(falls.sorted { $0.change < $1.change }.prefix(5))
    page.line(falls.count == 1 ? "The only steep fall:" : "The steepest of \(falls.count) falls:")
    let width = steepest.map(\.price.symbol.count).max() ?? 0
    let texts = steepest.map { "\($0.before?.close.dollars ?? "") → \($0.price.close.dollars)" }
    let textWidth = texts.map(\.count).max() ?? 0
    for (move, text) in zip(steepest, texts) {
      let length = bar(Int(-move.change * 1000), of: 1000, width: 30)
      page.line(
        "  \(move.price.day.monthName)  \(move.price.symbol.padded(to: width))  \(text.aligned(to: textWidth))  "
          + "\(move.change.percent) \(page.styled(length, .red))")
    }
  }

  private static func printLeads(_ leads: [Race.Lead], on page: Page) {
    page.line()
    let shown = leads.suffix(15).map { "\($0.symbol) \($0.month)" }.joined(separator: " · ")
    page.say("In the lead, by growth since the first close: \(leads.count > 15 ? "… " : "")\(shown).")
  }
}

/// The share that has grown most since the first close.
private struct Race: Sendable {
  private var starts: [String: Double] = [:]
  private(set) var lead: Lead?

  struct Lead: Sendable {
    let symbol: String
    let month: String
  }

  func after(_ month: Market.Month) -> Race {
    var race = self
    for price in month.closes where starts[price.symbol] == nil { race.starts[price.symbol] = price.close }
    let best = month.closes.max { $0.close / race.starts[$0.symbol]! < $1.close / race.starts[$1.symbol]! }
    race.lead = best.map { Lead(symbol: $0.symbol, month: month.name) }
    return race
  }
}
