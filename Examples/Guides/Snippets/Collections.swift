// The code that the guides and the documentation comments show of `TidingsCollections`.
import Tidings
import TidingsCollections

@MainActor final class TableView {
  var rows: [String] = []
  func show(_ difference: ArrayDifference<String>) {
    if difference.isReset {
      rows = difference.elements
      return
    }
    for edit in difference.edits {
      switch edit {
      case .insert(let new, at: let index): rows.insert(new, at: index)
      case .remove(_, at: let index): rows.remove(at: index)
      case .replace(_, with: let new, at: let index): rows[index] = new
      case .move(let element, let from, let to):  // `to` is counted after the removal
        rows.remove(at: from)
        rows.insert(element, at: to)
      }
    }
  }
}

func search(_ tasks: ObservedArray<String>, _ query: Observed<String>) {
  let matching = tasks.filter { $0.contains(query.value) }.sorted()
  print(matching.count.value)
}

@MainActor final class PriceBoard {
  func show(_ difference: DictionaryDifference<String, Double>) { print(difference.keys.sorted()) }
}

actor Replica {
  func apply(_ difference: ArrayDifference<String>) async { print(difference.edits.count) }
  func apply(_ difference: DictionaryDifference<String, Double>) async { print(difference.edits.count) }
}

struct Person: Identifiable, Equatable {
  let id: Int
  var name: String
}

func single(_ tasks: ObservedArray<String>, _ prices: ObservedDictionary<String, Double>) {
  tasks.append(contentsOf: ["read", "write"])
  tasks.set("read again", at: 0)
  let first = tasks.remove(at: 0)
  let last = prices.remove("MSFT")
  print(first, last ?? 0, tasks[0])
  tasks.edit { $0 = $0.filter { !$0.isEmpty } }
}

func identified(_ people: ObservedArray<Person>, _ prices: ObservedDictionary<String, Double>) {
  let ada = people.element(for: 1)  // Derived<Person?>
  people.updateElement(for: 1) { $0?.name = "Ada" }
  prices.updateElement(for: "AAPL") { price in price = (price ?? 0) + 1 }
  print(ada.value?.name ?? "")
}

func diffing(_ tasks: ObservedArray<String>, _ people: ObservedArray<Person>, _ loaded: [Person]) {
  tasks.set(["write", "rest"], diffing: \.self)
  people.set(loaded, diffing: \.id)
}

@MainActor func owners(
  _ tasks: ObservedArray<String>, _ prices: ObservedDictionary<String, Double>, _ list: TableView, _ board: PriceBoard
) {
  tasks.differences.observe(.initial, with: list) { list, difference in list.show(difference) }
  prices.differences.observe(.initial, with: board) { board, difference in board.show(difference) }
  let showing = prices.differences.observe(.initial) { difference in board.show(difference) }
  showing.cancel()
}

func replicate(
  _ tasks: ObservedArray<String>, _ prices: ObservedDictionary<String, Double>, to replica: Replica
) async {
  for await difference in tasks.differences.stream(.initial) { await replica.apply(difference) }
  for await difference in prices.differences.stream(.initial) { await replica.apply(difference) }
}

@MainActor func arrays(_ list: TableView) {
  var mirror = ["read", "write"]
  let tasks = ObservedArray(["read", "write"])
  let following = tasks.differences.observe { difference in difference.apply(to: &mirror) }
  let showing = tasks.differences.observe(.initial) { difference in list.show(difference) }
  tasks.edit { tasks in
    tasks.append("rest")
    tasks.move(from: 2, to: 0)
  }
  tasks.edit { $0.append("rest") }
  tasks.edit { tasks in
    tasks.append("write")
    tasks[0] += "!"
    tasks.move(from: 2, to: 0)
    tasks.removeAll { $0.isEmpty }
  }
  print(mirror == tasks.value)
  print(tasks)  // ObservedArray 'tasks': ["read", "write"], 1 subscription
  let titles = tasks.map { $0.uppercased() }
  let open = tasks.filter { !$0.hasSuffix("✓") }
  let byName = tasks.sorted { $0 < $1 }
  let count = open.count
  print(titles.value, byName.value, count.value)
  following.cancel()
  showing.cancel()
}

@MainActor func dictionaries() {
  var mirror = ["MSFT": 39.81]
  let prices = ObservedDictionary(["MSFT": 39.81])
  let following = prices.differences.observe { difference in difference.apply(to: &mirror) }
  prices.set(200, for: "AAPL")
  prices.edit { prices in
    prices["MSFT"] = nil
    prices["AMZN", default: 0] += 70
  }
  let apple = prices.element(for: "AAPL")  // Derived<Double?>
  print(mirror == prices.value, apple.value ?? 0)
  following.cancel()
}

func keys(_ prices: ObservedDictionary<String, Double>) -> Subscription {
  let following = prices.differences.observe { difference in
    for key in difference.keys { print(key, difference.elements[key] as Any) }
  }
  return following
}

func snapshots(
  _ tasks: ObservedArray<String>, _ prices: ObservedDictionary<String, Double>, show: (String) -> Void
) {
  do {
    let before = tasks.snapshot
    tasks.append("rest")
    print(before.count, tasks.snapshot.last!)
  }
  for task in tasks.snapshot.prefix(20) { show(task) }
  let before = prices.snapshot
  prices.set(200, for: "AAPL")
  print(before["AAPL"] as Any, before.count)
}

arrays(TableView())
dictionaries()
single(ObservedArray(), ObservedDictionary())
identified(ObservedArray([Person(id: 1, name: "")]), ObservedDictionary())
diffing(ObservedArray(), ObservedArray(), [])
owners(ObservedArray(), ObservedDictionary(), TableView(), PriceBoard())
keys(ObservedDictionary()).cancel()
snapshots(ObservedArray(), ObservedDictionary()) { task in print(task) }
