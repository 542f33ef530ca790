/// Which closes a handler received.
@MainActor
final class Strip {
  private let name: String
  private var noted: [Price] = []

  init(_ name: String) { self.name = name }

  func note(_ price: Price) { noted.append(price) }

  func print(_ prices: [Price], curve: [Character], on page: Page) {
    let known = Set(noted)
    let marks = zip(prices, curve).map { known.contains($0) ? String($1) : page.styled("·", .dim) }.joined()
    let count = String(noted.count).aligned(to: 50 - prices.count)
    page.line("  \(name.padded(to: 22))\(marks)\(count) noted")
  }

  /// The company, and where there is room the first month and the last.
  static func printScale(of prices: [Price], on page: Page) {
    let symbol = prices[0].symbol
    let (first, last) = (prices[0].day.monthName, prices[prices.count - 1].day.monthName)
    let months = first.padded(to: prices.count - last.count) + last
    page.line(
      "  " + page.styled(symbol, .bold)
        + (months.count > prices.count ? "" : "".padded(to: 22 - symbol.count) + months))
  }
}

extension Market {
  /// The company with most closes, and as many of the latest as a strip holds.
  var longestRun: [Price] {
    let byCompany = Dictionary(grouping: closes, by: \.symbol)
    let runs = symbols.map { byCompany[$0] ?? [] }
    let longest = runs.map(\.count).max() ?? 0
    return Array((runs.first { $0.count == longest } ?? []).suffix(45))
  }
}
