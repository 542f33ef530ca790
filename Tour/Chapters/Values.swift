import Synchronization
import Tidings

/// Shows values that follow from several others which change together.
enum Values: Chapter {
  static let title = "Values, and what follows from them"

  static let summary = """
    A portfolio holds one share of each company. Its worth follows from the prices, and those of a month arrive \
    together: one transaction. Beside it the way of the older libraries, where an observer of each price adds up again.
    """

  static let code = """
    let prices: [String: Observed<Double>] = symbols.reduce(into: [:]) {
      $0[$1] = Observed(0)
    }
    @Sendable func price(_ symbol: String) -> Double {
      prices[symbol]?.value ?? 0
    }
    let portfolio = Derived {
      computed.add()
      return symbols.reduce(0) { $0 + price($1) }
    }
    let dearest = Derived {
      symbols.filter { price($0) > 0 }.max { price($0) < price($1) }
    }
    let highest = dearest.chain { $0.flatMap { prices[$0] } }
    portfolio.observe { sums.add($0.new) }.store(in: &tokens)
    …
    transaction {
      for close in month.closes { prices[close.symbol]?.set(close.close) }
    }
    """

  /// A portfolio of more companies than this would be no portfolio.
  private static let companies = 8

  static func present(of market: Market, on page: Page) async {
    let symbols = Array(market.symbols.prefix(companies))
    let months = market.months.map { month in
      Market.Month(closes: month.closes.filter { symbols.contains($0.symbol) })
    }.filter { !$0.closes.isEmpty }
    let (computed, sums, leads, tops) = (Tally(), Notes<Double>(), Notes<String>(), Notes<Double>())
    var tokens: Set<Subscription> = []

    let prices: [String: Observed<Double>] = symbols.reduce(into: [:]) {
      $0[$1] = Observed(0)
    }
    @Sendable func price(_ symbol: String) -> Double {
      prices[symbol]?.value ?? 0
    }
    let portfolio = Derived {
      computed.add()
      return symbols.reduce(0) { $0 + price($1) }
    }
    let dearest = Derived {
      symbols.filter { price($0) > 0 }.max { price($0) < price($1) }
    }
    let highest = dearest.chain { $0.flatMap { prices[$0] } }
    portfolio.observe { sums.add($0.new) }.store(in: &tokens)
    dearest.observe { if let symbol = $0.new { leads.add(symbol) } }.store(in: &tokens)
    highest.observe { if let price = $0.new { tops.add(price) } }.store(in: &tokens)

    let observers = ObserverPortfolio(of: symbols)
    var played: [Played] = []
    var leadMonths: [String] = []
    for month in months {
      let before = (observers: observers.sums.count, sums: sums.items.count, leads: leads.items.count)
      transaction {
        for close in month.closes { prices[close.symbol]?.set(close.close) }
      }
      observers.note(month.closes)
      if leads.items.count > before.leads { leadMonths.append("\(leads.items.last ?? "") \(month.name)") }
      played.append(
        Played(
          closes: month.closes, name: month.name, observed: Array(observers.sums[before.observers...]),
          notified: Array(sums.items[before.sums...]),
          worth: observers.sums.last ?? 0))
    }

    let known = Set(played.map(\.worth))
    printMix(in: played, known, on: page)
    page.line("                            computed     sent   sums that never were")
    printRow("an observer of each price", observers.sums.count, observers.sums, known, on: page)
    printRow("Derived, a transaction", computed.count, sums.items, known, on: page)
    page.line()
    page.say(
      "One computation more than months: the first look, when the handler was added. The dearest share is computed "
        + "whenever a price changed, and its handler is notified when it is another, \(leads.items.count) of "
        + "\(counted(months.count, "time")): \(leadMonths.suffix(8).joined(separator: " · ")). Its price, whichever "
        + "company it is, by a chain: notified \(counted(tops.items.count, "time")).")
  }

  /// The month in which what observers add up strays furthest from all that the portfolio was worth.
  private static func printMix(in played: [Played], _ known: Set<Double>, on page: Page) {
    var worth = 0.0
    var furthest: (month: Played, before: Double, stray: Double)?
    for month in played {
      let range = min(worth, month.worth)...max(worth, month.worth)
      let strays = month.observed.filter { !known.contains($0) }.map {
        max(range.lowerBound - $0, $0 - range.upperBound, 0)
      }
      // Before the first month it was worth nothing, and all is within.
      if let stray = strays.max(), stray >= furthest?.stray ?? 0 { furthest = (month, worth, stray) }
      worth = month.worth
    }
    guard let (month, before, _) = furthest else {
      page.say("Never did two prices change in one month, so this time there is nothing to mix up.")
      return page.line()
    }
    page.line(
      "  " + page.styled(month.name, .bold) + "".padded(to: 12 - month.name.count) + "close".aligned(to: 9)
        + "observers read".aligned(to: 18) + "Derived notifies".aligned(to: 30))
    page.line("  before".padded(to: 23) + before.dollars.aligned(to: 18))
    for (index, (close, sum)) in zip(month.closes, month.observed).enumerated() {
      let mark = known.contains(sum) ? "" : page.styled("never was", .red)
      let notified = index == month.observed.count - 1 ? month.notified.last : nil
      page.line(
        "  \(close.symbol.padded(to: 12))\(close.close.dollars.aligned(to: 9))\(sum.dollars.aligned(to: 18))"
          + (notified.map { $0.dollars.aligned(to: 30) } ?? (mark.isEmpty ? "" : "   " + mark)))
    }
    page.line()
  }

  private static func printRow(
    _ name: String, _ computed: Int, _ sums: [Double], _ known: Set<Double>, on page: Page
  ) {
    let wrong = sums.count { !known.contains($0) }
    page.line(
      "  \(name.padded(to: 26))\(String(computed).aligned(to: 8))\(String(sums.count).aligned(to: 9))"
        + String(wrong).aligned(to: 23))
  }
}

/// The results of one month.
private struct Played {
  let closes: [Price]
  let name: String
  let observed: [Double]
  let notified: [Double]
  /// The worth of the portfolio, once all prices of the month are known.
  let worth: Double
}

/// Counts from any thread.
private final class Tally: Sendable {
  private let counter = Atomic(0)
  func add() { counter.add(1, ordering: .relaxed) }
  var count: Int { counter.load(ordering: .relaxed) }
}
