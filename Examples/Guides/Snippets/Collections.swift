// The code that the guides and the documentation comments show of `TidingsCollections`.
import Tidings
import TidingsCollections

@MainActor final class TableView {
  func show(_ difference: ArrayDifference<String>) {
    if difference.isReset { return print("all of", difference.elements) }
    for edit in difference.edits { print(edit) }
  }
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

arrays(TableView())
dictionaries()
keys(ObservedDictionary()).cancel()
