import Tidings

/// Shows what keeps a handler alive and what ends it.
enum Lifetimes: Chapter {
  static let title = "Owners and tokens"

  static let summary = """
    Six handlers of one event. A block is a close the handler got, as high as the price; a dot is one it did not.
    """

  static let code = """
    tokens["kept"] = closes.observe { kept.note($0) }
    tokens["dropped"] = closes.observe { dropped.note($0) }
    tokens["paused"] = closes.observe { paused.note($0) }
    closes.observe(with: reader) { reader, price in reader.strip.note(price) }
    closes.once { once.note($0) }
    …
    tokens["paused"]?.pause()
    tokens["dropped"] = nil
    tokens["paused"]?.resume()
    owner = nil
    """

  static func present(of market: Market, on page: Page) async {
    let prices = market.longestRun
    let kept = Strip("its token is kept")
    let dropped = Strip("its token is dropped")
    let owned = Strip("its owner goes")
    let once = Strip("once")
    let paused = Strip("paused, resumed")
    let late = Strip("once, added later")

    let closes = Event<Price>("market.close")
    var tokens: [String: Subscription] = [:]
    var owner: Reader? = Reader(strip: owned)
    tokens["kept"] = closes.observe { kept.note($0) }
    tokens["dropped"] = closes.observe { dropped.note($0) }
    tokens["paused"] = closes.observe { paused.note($0) }
    if let reader = owner {
      closes.observe(with: reader) { reader, price in reader.strip.note(price) }
    }
    closes.once { once.note($0) }

    let halfway = prices.count / 2
    var diagnostics = closes.diagnostics
    for (index, price) in prices.enumerated() {
      if index == prices.count / 4 {
        tokens["paused"]?.pause()
      }
      if index == halfway {
        diagnostics = closes.diagnostics
        tokens["dropped"] = nil
        closes.once { late.note($0) }
      }
      if index == prices.count * 5 / 8 {
        tokens["paused"]?.resume()
      }
      if index == prices.count * 3 / 4 {
        owner = nil
      }
      closes.emit(price)
    }

    Strip.printScale(of: prices, on: page)
    let curve = sparkline(prices.map(\.close))
    for strip in [kept, dropped, paused, owned, once, late] { strip.print(prices, curve: curve, on: page) }
    page.line()
    page.line("  closes.diagnostics, before \(prices[halfway].day.monthName):")
    page.quote("\(diagnostics)")
    page.line("  and after \(prices[prices.count - 1].day.monthName):")
    page.quote("\(closes.diagnostics)")
  }
}

/// An owner: what it owns ends with it.
@MainActor
private final class Reader {
  let strip: Strip
  init(strip: Strip) { self.strip = strip }
}
