import Testing
import Tidings
import TidingsCollections
import TidingsState

@Suite("Edits of an undo")
struct HistoryEditsTests {
  @Test("An undo after another one reverses the edits of its own step alone")
  func arrays() {
    let items = ObservedArray(["write", "read", "rest"])
    let history = History(of: items)
    let edits = Lists<ArrayEdit<String>>()
    let token = items.differences.observe { difference in edits.add(difference.edits) }
    items.set("rewrite", at: 0)
    items.remove(at: 1)
    items.append("sleep")
    for _ in 0..<3 { history.undo() }
    #expect(items.value == ["write", "read", "rest"])
    for _ in 0..<3 { history.redo() }
    #expect(items.value == ["rewrite", "rest", "sleep"])
    let steps: [ArrayEdit<String>] = [
      .replace("write", with: "rewrite", at: 0), .remove("read", at: 1), .insert("sleep", at: 2),
    ]
    let undone: [ArrayEdit<String>] = [
      .remove("sleep", at: 2), .insert("read", at: 1), .replace("rewrite", with: "write", at: 0),
    ]
    #expect(edits.all == (steps + undone + steps).map { [$0] })
    // A new step between two undos belongs to the second of them alone.
    history.undo()
    items.append("dance")
    history.undo()
    history.undo()
    #expect(edits.all.suffix(2) == [[.remove("dance", at: 2)], [.insert("read", at: 1)]])
    #expect(items.value == ["rewrite", "read", "rest"])
    withExtendedLifetime(token) {}
  }

  @Test("So does an undo of a dictionary")
  func dictionaries() {
    let prices = ObservedDictionary(["MSFT": 1, "AAPL": 1])
    let history = History(of: prices)
    let keys = Lists<String>()
    let token = prices.differences.observe { difference in keys.add(difference.edits.map(\.key)) }
    prices.set(2, for: "MSFT")
    prices.set(2, for: "AAPL")
    history.undo()
    history.undo()
    history.redo()
    history.undo()
    #expect(keys.all == [["MSFT"], ["AAPL"], ["AAPL"], ["MSFT"], ["MSFT"], ["MSFT"]])
    #expect(prices.value == ["MSFT": 1, "AAPL": 1])
    withExtendedLifetime(token) {}
  }

  @Test("A filtered and sorted array follows each undo by the edits of its step")
  func derived() {
    let items = ObservedArray(["write", "read", "rest"])
    let history = History(of: items)
    let rows = items.filter { $0.contains("re") }.sorted()
    let edits = Lists<ArrayEdit<String>>()
    let token = rows.differences.observe { difference in edits.add(difference.edits) }
    items.set("rewrite", at: 0)
    items.remove(at: 1)
    history.undo()
    history.undo()
    #expect(edits.all.suffix(2) == [[.insert("read", at: 0)], [.remove("rewrite", at: 2)]])
    withExtendedLifetime(token) {}
  }

  @Test("Undos and redos in any order restore what each step has left")
  func anyOrder() {
    var random = Random(7)
    for _ in 0..<50 {
      let items = ObservedArray<Int>([])
      let history = History(of: items, limit: 1_000)
      var (states, place) = ([items.value], 0)
      for step in 0..<60 {
        switch random.below(4) {
        case 0:
          let undone = history.undo()
          #expect(undone == (place > 0))
          if undone { place -= 1 }
        case 1:
          let redone = history.redo()
          #expect(redone == (place + 1 < states.count))
          if redone { place += 1 }
        default:
          let count = items.value.count
          if count == 0 || step % 3 == 0 {
            items.insert(step, at: random.below(count + 1))
          } else {
            items.set(step, at: random.below(count))
          }
          states = states.prefix(place + 1) + [items.value]
          place += 1
        }
        #expect(items.value == states[place])
      }
    }
  }
}

/// Keeps lists that handlers receive.
private final class Lists<Element: Sendable>: Sendable {
  private let lists = Observed<[[Element]]>([])
  var all: [[Element]] { lists.value }
  func add(_ list: [Element]) { lists.update { $0.append(list) } }
}

/// A linear congruential generator: the same numbers in each run.
private struct Random {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }
}
