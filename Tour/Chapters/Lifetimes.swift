import Tidings

/// What keeps a handler alive, and what ends it.
enum Lifetimes: Chapter {
  static let title = "Owners and tokens"

  static let summary = """
    Six handlers of one event. A block is a close the handler heard, as high as the price; a dot is one it did not.
    """

  static let code = """
    tokens["kept"] = closes.observe { kept.hear($0) }
    tokens["dropped"] = closes.observe { dropped.hear($0) }
    tokens["paused"] = closes.observe { paused.hear($0) }
    closes.observe(with: reader) { reader, price in reader.strip.hear(price) }
    closes.once { once.hear($0) }
    …
    tokens["paused"]?.pause()
    tokens["dropped"] = nil
    tokens["paused"]?.resume()
    owner = nil
    """

  static func tell(of market: Market, on page: Page) async {
    let prices = longestRun(in: market)
    let kept = Strip("its token is kept")
    let dropped = Strip("its token is dropped")
    let owned = Strip("its owner goes")
    let once = Strip("once")
    let paused = Strip("paused, resumed")
    let late = Strip("once, added later")

    let closes = Event<Price>("market.close")
    var tokens: [String: Subscription] = [:]
    var owner: Reader? = Reader(strip: owned)
    tokens["kept"] = closes.observe { kept.hear($0) }
    tokens["dropped"] = closes.observe { dropped.hear($0) }
    tokens["paused"] = closes.observe { paused.hear($0) }
    if let reader = owner {
      closes.observe(with: reader) { reader, price in reader.strip.hear(price) }
    }
    closes.once { once.hear($0) }

    let halfway = prices.count / 2
    var diagnosis = closes.diagnosis
    for (index, price) in prices.enumerated() {
      if index == prices.count / 4 {
        tokens["paused"]?.pause()
      }
      if index == halfway {
        diagnosis = closes.diagnosis
        tokens["dropped"] = nil
        closes.once { late.hear($0) }
      }
      if index == prices.count * 5 / 8 {
        tokens["paused"]?.resume()
      }
      if index == prices.count * 3 / 4 {
        owner = nil
      }
      closes.emit(price)
    }

    printScale(of: prices, on: page)
    let curve = sparkline(prices.map(\.close))
    for strip in [kept, dropped, paused, owned, once, late] { strip.print(prices, curve: curve, on: page) }
    page.line()
    page.line("  closes.diagnosis, before \(prices[halfway].day.monthName):")
    page.quote("\(diagnosis)")
    page.line("  and after \(prices[prices.count - 1].day.monthName):")
    page.quote("\(closes.diagnosis)")
  }

  /// The company, and where there is room the first month and the last.
  private static func printScale(of prices: [Price], on page: Page) {
    let symbol = prices[0].symbol
    let (first, last) = (prices[0].day.monthName, prices[prices.count - 1].day.monthName)
    let months = first.padded(to: prices.count - last.count) + last
    page.line(
      "  " + page.styled(symbol, .bold)
        + (months.count > prices.count ? "" : "".padded(to: 22 - symbol.count) + months))
  }

  /// The company with most closes, and as many of the latest as a line holds.
  private static func longestRun(in market: Market) -> [Price] {
    let byCompany = Dictionary(grouping: market.closes, by: \.symbol)
    let runs = market.symbols.map { byCompany[$0] ?? [] }
    let longest = runs.map(\.count).max() ?? 0
    return Array((runs.first { $0.count == longest } ?? []).suffix(45))
  }
}

/// An owner: what it owns ends with it.
@MainActor
private final class Reader {
  let strip: Strip
  init(strip: Strip) { self.strip = strip }
}

/// Which closes a handler heard.
@MainActor
private final class Strip {
  private let name: String
  private var heard: [Price] = []

  init(_ name: String) { self.name = name }

  func hear(_ price: Price) { heard.append(price) }

  func print(_ prices: [Price], curve: [Character], on page: Page) {
    let known = Set(heard)
    let marks = zip(prices, curve).map { known.contains($0) ? String($1) : page.styled("·", .dim) }.joined()
    let count = String(heard.count).aligned(to: 50 - prices.count)
    page.line("  \(name.padded(to: 22))\(marks)\(count) heard")
  }
}
