import Foundation
import Tidings
import TidingsCollections
import TidingsState

/// A window, or a page in a browser. All screens show the same portfolio, and each has its own editor.
@MainActor public final class Screen {
  /// The values that a screen shows beside the rows.
  public struct Status: Encodable, Equatable, Sendable {
    public let total, gain: Decimal
    public let rising, count: Int
    public let search: String
    public let order: RowOrder
    public let canUndo, canRedo: Bool
    public let editing: PositionEditor.State?
    /// The number of the last text that was typed.
    public let typed: Int
  }
  /// The acts of a person. A page sends them in JSON: `{"undo":{}}`, `{"search":{"text":"A"}}`.
  public enum Action: Decodable, Sendable {
    case search(text: String)
    case sort(by: RowOrder)
    case add(symbol: String)
    case remove(id: UUID)
    case edit(id: UUID)
    case type(text: String, in: PositionEditor.Field, number: Int = 0)
    case commit, cancel, keepMine, takeTheirs, undo, redo
  }
  public let portfolio: Portfolio
  public let status: Derived<Status>
  private let editor = Observed<PositionEditor?>(nil, label: "screen.editor")
  private let typed = Observed(0, label: "screen.typed")

  public init(_ portfolio: Portfolio) {
    self.portfolio = portfolio
    status = Derived("screen.status") { [editor, typed, search = portfolio.$search, order = portfolio.$order] in
      Status(
        total: portfolio.total.value, gain: portfolio.gain.value, rising: portfolio.rising.value,
        count: portfolio.rows.snapshot.count, search: search.value, order: order.value,
        canUndo: portfolio.history.canUndo.value, canRedo: portfolio.history.canRedo.value,
        editing: editor.value?.state.value, typed: typed.value)
    }
  }

  public func perform(_ action: Action) {
    let positions = portfolio.positions
    switch action {
    case .search(let text): portfolio.search = text
    case .sort(let order): portfolio.order = order
    case .add(let symbol):
      let (symbol, paid) = (symbol.uppercased(), portfolio.prices.value[symbol.uppercased()] ?? 0)
      positions.append(Position(id: UUID(), symbol: symbol, quantity: 1, paid: paid))
    case .remove(let id): positions.removeAll { $0.id == id }
    case .edit(let id): editor.set(PositionEditor(id, in: positions))
    case .type(let text, let field, let number):
      editor.value?.type(text, in: field)
      typed.set(number)
    // If it throws, the editor's state has the reasons.
    case .commit: if (try? editor.value?.form.commit()) != nil { editor.set(nil) }
    case .cancel: editor.set(nil)
    case .keepMine: editor.value?.form.keepMine()
    case .takeTheirs: editor.value?.form.takeTheirs()
    case .undo: portfolio.history.undo()
    case .redo: portfolio.history.redo()
    }
  }
}
