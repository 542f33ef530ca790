import Foundation
import PortfolioModels
import SwiftUI
import TidingsObservation

/// The portfolio in SwiftUI. An app makes it once, with a screen that it keeps.
public struct PortfolioView: View {
  private let screen: Screen
  private let rows: ObservableValue<[Row]>
  private let status: ObservableValue<Screen.Status>

  public init(_ screen: Screen) {
    self.screen = screen
    (rows, status) = (ObservableValue(screen.portfolio.rows), ObservableValue(screen.status))
  }

  public var body: some View {
    let status = status.value
    VStack {
      Text("Total \(status.total.formatted(.currency(code: "USD")))")
      field("Search", status.search) { .search(text: $0) }
      List(rows.value) { row in
        Text("\(row.position.quantity) \(row.position.symbol): \(row.worth.formatted(.currency(code: "USD")))")
        button("Edit", .edit(id: row.id))
        button("Remove", .remove(id: row.id))
      }
      if let editing = status.editing {
        field("Quantity", editing.texts[.quantity]) { .type(text: $0, in: .quantity) }
        field("Price paid", editing.texts[.paid]) { .type(text: $0, in: .paid) }
        Text(editing.hint)
        if editing.isConflict {
          button("Keep mine", .keepMine)
          button("Take theirs", .takeTheirs)
        }
        button("Save", .commit).disabled(!editing.hint.isEmpty)
        button("Cancel", .cancel)
      }
      button("Undo", .undo).disabled(!status.canUndo)
      button("Redo", .redo).disabled(!status.canRedo)
    }
  }

  private func field(_ title: String, _ text: String?, _ action: @escaping (String) -> Screen.Action) -> some View {
    TextField(title, text: Binding(get: { text ?? "" }, set: { @MainActor new in screen.perform(action(new)) }))
  }
  private func button(_ title: String, _ action: Screen.Action) -> some View {
    Button(title) { screen.perform(action) }
  }
}
