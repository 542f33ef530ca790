import ObservableSwift

/// A share of each company as the older libraries have it: each price has an observer that adds up again.
@MainActor
final class ObserverPortfolio {
  /// All that its observers were notified of, one after the other.
  private(set) var sums: [Double] = []
  private let symbols: [String]
  private let prices: [ObservableReference<Double>]

  init(of symbols: [String]) {
    self.symbols = symbols
    prices = symbols.map { _ in ObservableReference(0) }
    for price in prices {
      price += { [unowned self] in sums.append(prices.reduce(0) { $0 + $1.value }) }
    }
  }

  func note(_ closes: [Price]) {
    for close in closes {
      if let index = symbols.firstIndex(of: close.symbol) { prices[index] <- close.close }
    }
  }
}
