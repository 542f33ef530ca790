import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Elements by their identity")
struct ElementTests {
  private struct Row: Identifiable, Equatable {
    let id: Int
    var name: String
  }
  private struct Failure: Error {}
  private let rows = ObservedArray([Row(id: 1, name: "a"), Row(id: 2, name: "b")])

  @Test("An element of an array is a value that notifies when it differs, and not when it is moved")
  func element() {
    let second = rows.element(for: 2)
    let notified = second.record()
    rows.edit { $0.move(from: 1, to: 0) }
    rows.updateElement(for: 1) { $0?.name = "c" }
    #expect(notified.values.isEmpty)
    rows.updateElement(for: 2) { $0?.name = "d" }
    rows.remove(at: 0)
    rows.append(Row(id: 2, name: "e"))
    #expect(notified.values.map { $0.new?.name } == ["d", nil, "e"])
    let open = rows.filter { $0.name != "e" }
    #expect(open.element(for: 2).value == nil && open.element(for: 1).value?.name == "c")
  }

  @Test("An element of an array is replaced, removed and appended, each with one edit")
  func updating() {
    let edits = Recorder<Int>()
    let following = rows.differences.observe { edits($0.isReset ? -1 : $0.edits.count) }
    let old = rows.updateElement(for: 2) { row in
      defer { row?.name = "c" }
      return row?.name
    }
    #expect(old == "b" && rows.value.map(\.name) == ["a", "c"])
    rows.updateElement(for: 1) { $0 = nil }
    rows.updateElement(for: 3) { if $0 == nil { $0 = Row(id: 3, name: "d") } }
    rows.updateElement(for: 9) { $0?.name = "e" }
    #expect(rows.value.map(\.name) == ["c", "d"] && edits.values == [1, 1, 1])
    #expect(throws: Failure.self) {
      try rows.updateElement(for: 2) { row throws(Failure) in
        row = nil
        throw Failure()
      }
    }
    #expect(rows.value.map(\.name) == ["c", "d"])
    following.cancel()
  }

  @Test("An element of a dictionary is replaced, removed and added, each with one edit")
  func keys() {
    let prices = ObservedDictionary(["a": 1, "b": 2])
    let edits = Recorder<Int>()
    let following = prices.differences.observe { edits($0.isReset ? -1 : $0.edits.count) }
    prices.updateElement(for: "a") { price in price = (price ?? 0) + 1 }
    prices.updateElement(for: "b") { $0 = nil }
    prices.updateElement(for: "c") { price in price = (price ?? 0) + 1 }
    prices.updateElement(for: "d") { $0? += 1 }
    #expect(prices.value == ["a": 2, "c": 1] && edits.values == [1, 1, 1])
    following.cancel()
  }

  @Test("Updates of several threads lose nothing, whichever elements are moved and removed meanwhile")
  func threads() async {
    let counts = ObservedArray((0..<4).map { Count(id: $0) })
    await Threads.together(4) { thread in
      for number in 0..<200 {
        counts.updateElement(for: thread) { $0?.value += 1 }
        if number % 10 == thread { counts.edit { $0.move(from: 0, to: 3) } }
      }
    }
    #expect(counts.value.map(\.value) == [200, 200, 200, 200])
  }
  private struct Count: Identifiable, Equatable {
    let id: Int
    var value = 0
  }
}
