import Foundation
import Tidings
import TidingsCollections
import TidingsPersistence
import TidingsState
import TidingsTime

/// The positions, their worth at the market's prices, and the rows that screens show of them.
///
///     positions, prices ─▶ valued ─▶ total, gain
///     valued, search, order ─▶ rows ─▶ rising
@MainActor public final class Portfolio {
  /// The positions, which are saved with the settings.
  public let positions: ObservedArray<Position>
  /// Undo and redo of what changes the positions.
  public let history: History
  @MainPersisted public var search: String
  @MainPersisted public var order: RowOrder
  /// The rows that match the search, in the chosen order.
  public let rows: DerivedArray<Row>
  /// The number of these rows that are worth more than they have cost.
  public let rising: Derived<Int>
  public let total, gain: Derived<Decimal>
  let prices: ReadOnly<[String: Decimal]>
  private let priced: any EventSource<[String: Decimal]>

  /// Makes the portfolio that a store has, at prices of another process, or for a test of this one.
  public init(in store: PersistentStore, priced: some EventSource<[String: Decimal]>) {
    // An attribute could not name a parameter, so the wrappers are made here.
    let search = MainPersisted(wrappedValue: "", "search", in: store)
    let order = MainPersisted(wrappedValue: RowOrder.symbol, "order", in: store)
    let positions = store.collection("positions", as: ObservedArray.self, default: Position.examples)
    let prices = priced.hold([:])
    // The rows wait until a person has stopped typing.
    let sought = search.projectedValue.debounced(for: .milliseconds(150)).hold(search.wrappedValue)

    // The closures capture the values that they read, and not the portfolio. The arrays follow these values.
    let valued = positions.map { Row($0, at: prices.value[$0.symbol]) }
    total = Derived("portfolio.total") { valued.value.reduce(0) { $0 + $1.worth } }
    gain = Derived("portfolio.gain") { valued.value.reduce(0) { $0 + $1.gain } }
    rows = valued.filter { $0.matches(sought.value) }.sorted { [order = order.projectedValue] in
      order.value.areInOrder($0, $1)
    }
    rising = rows.filter { $0.gain > 0 }.count
    history = History(of: positions)
    (_search, _order, self.positions, self.prices, self.priced) = (search, order, positions, prices, priced)
  }
}
