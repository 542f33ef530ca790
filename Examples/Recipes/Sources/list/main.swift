import Tidings
import TidingsCollections
import TidingsState

struct Item: Sendable, Equatable, Identifiable {
  let id: Int
  var title: String
  var priority: Int
}

enum Order: Sendable { case title, priority }

@MainActor final class ListModel {
  let items: ObservedArray<Item>
  let query = Observed("", changes: .distinct)
  let order = Observed(Order.title, changes: .distinct)
  /// The items that match, in order. They follow the items, the query and the order, by edits.
  let rows: DerivedArray<Item>
  /// Made in `init`: a history records from the moment at which it is made.
  let history: History

  init(_ items: [Item]) {
    self.items = ObservedArray(items)
    rows = self.items
      .filter { [query] item in query.value.isEmpty || item.title.lowercased().contains(query.value.lowercased()) }
      .sorted { [order] in order.value == .title ? $0.title < $1.title : $0.priority < $1.priority }
    history = History(of: self.items)
  }

  func rename(_ id: Int, _ title: String) {
    items.edit { items in
      guard let index = items.firstIndex(where: { $0.id == id }) else { return }
      items[index].title = title
    }
  }
  func remove(_ id: Int) {
    items.edit { items in
      if let index = items.firstIndex(where: { $0.id == id }) { items.remove(at: index) }
    }
  }
}

/// A table view, which prints. It changes single rows, unless it has to be filled anew.
@MainActor final class Table {
  private var rows: [Item] = []

  func show(_ difference: ArrayDifference<Item>) {
    difference.apply(to: &rows)
    let how = difference.isReset ? "filled" : "edits: \(difference.edits.count)"
    print("  \(rows.map(\.title).joined(separator: ", ")) (\(how))")
  }
}

let list = ListModel([
  Item(id: 1, title: "write", priority: 2),
  Item(id: 2, title: "read", priority: 3),
  Item(id: 3, title: "rest", priority: 1),
  Item(id: 4, title: "sleep", priority: 4),
])
let table = Table()
list.rows.differences.observe(.initial, with: table) { table, difference in table.show(difference) }
let buttons = list.history.canUndo.observe { change in print("  undo is", change.new ? "possible" : "not possible") }

print("- search, and another order")
list.query.set("re")
list.order.set(.priority)

print("- edit")
list.rename(1, "rewrite")
list.remove(2)

print("- undo, undo, redo")
list.history.undo()
list.history.undo()
list.history.redo()

print("- two edits as one step, and back")
list.history.group {
  list.rename(3, "relax")
  list.items.append(Item(id: 5, title: "repeat", priority: 5))
}
list.history.undo()

print("- no search")
list.query.set("")
