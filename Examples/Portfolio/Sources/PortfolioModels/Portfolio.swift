import Foundation
import Tidings
import TidingsCollections
import TidingsPersistence
import TidingsState
import TidingsTime

/// The positions, their worth at the market's prices, and the rows that screens show of them.
///
///     positions, prices ─▶ valued ─▶ total, gain
///     valued, search, order ─▶ shown ─▶ rows ─▶ rising
@MainActor public final class Portfolio {
  public let positions: ObservedArray<Position>
  /// Undo and redo of what changes the positions.
  public let history: History
  // The settings, which are saved as the positions are.
  @MainPersisted public var search: String
  @MainPersisted public var order: RowOrder
  /// The rows that match the search, in the chosen order.
  public let rows = ObservedArray<Row>(label: "portfolio.rows")
  /// The number of these rows that are worth more than they have cost.
  public let rising: Derived<Int>
  public let total, gain: Derived<Decimal>
  let prices: ReadOnly<[String: Decimal]>
  private let priced: any EventSource<[String: Decimal]>
  private let scope = Scope()

  /// Makes the portfolio that a store has, at prices of another process, or for a test of this one.
  public init(in store: PersistentStore, priced: some EventSource<[String: Decimal]>) {
    // An attribute could not name a parameter, so the wrappers are made here.
    let search = MainPersisted(wrappedValue: "", "search", in: store)
    let order = MainPersisted(wrappedValue: RowOrder.symbol, "order", in: store)
    let stored = store.value("positions", default: Position.examples)
    let positions = ObservedArray(stored.value, label: "portfolio.positions")
    let prices = priced.hold([:])

    // The closures capture the values that they read, and not the portfolio.
    let bySymbol = positions.sorted { $0.symbol < $1.symbol }
    let valued = Derived("portfolio.valued") { bySymbol.value.map { Row($0, at: prices.value[$0.symbol]) } }
    total = Derived("portfolio.total") { valued.value.reduce(0) { $0 + $1.worth } }
    gain = Derived("portfolio.gain") { valued.value.reduce(0) { $0 + $1.gain } }
    // The rows wait until a person has stopped typing.
    let sought = search.projectedValue.debounced(for: .milliseconds(150)).hold(search.wrappedValue)
    let shown = Derived("portfolio.shown") { [order = order.projectedValue] in
      let text = sought.value.uppercased()
      let matching = valued.value.filter { text.isEmpty || $0.position.symbol.contains(text) }
      return matching.sorted(by: order.value.areInOrder)
    }
    shown.observe(.initial) { [rows] change in rows.set(change.new, diffing: \.id) }.store(in: scope)
    rising = rows.filter { $0.gain > 0 }.count
    history = History(of: positions)
    // A store has values and no arrays that are edited, so a value follows the array.
    positions.observe { change in stored.set(change.new) }.store(in: scope)
    (_search, _order, self.positions, self.prices, self.priced) = (search, order, positions, prices, priced)
  }
}
