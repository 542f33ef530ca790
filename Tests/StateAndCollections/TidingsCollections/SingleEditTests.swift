import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Single edits of arrays and dictionaries")
struct SingleEditTests {
  @Test("Each method of an array is one change with the edits of its name")
  func arrays() {
    let (list, edits) = (ObservedArray(["a", "b"]), Recorder<[ArrayEdit<String>]>())
    let token = list.differences.observe { edits($0.edits) }
    list.set("A", at: 0)
    list.append(contentsOf: ["c", "d"])
    list.insert("x", at: 1)
    #expect(list.remove(at: 2) == "b" && list[1] == "x")
    #expect(
      edits.values == [
        [.replace("a", with: "A", at: 0)], [.insert("c", at: 2), .insert("d", at: 3)], [.insert("x", at: 1)],
        [.remove("b", at: 2)],
      ])
    list.removeAll()
    #expect(list.value.isEmpty && edits.values.count == 5)
    list.removeAll()
    #expect(edits.values.count == 5, "nothing to remove is no change")
    withExtendedLifetime(token) {}
  }

  @Test("A key of a dictionary is removed in one edit, and all are removed in one change")
  func dictionaries() {
    let (prices, keys) = (ObservedDictionary(["a": 1, "b": 2, "c": 3, "d": 4]), Recorder<Set<String>>())
    let token = prices.differences.observe { keys($0.keys) }
    #expect(prices.remove("a") == 1 && prices.remove("none") == nil)
    prices.removeAll { _, price in price == 3 }
    prices.edit { #expect($0.removeValue(forKey: "d") == 4) }
    prices.removeAll()
    prices.removeAll()
    #expect(prices.value.isEmpty && keys.values == [["a"], ["c"], ["d"], ["b"]])
    withExtendedLifetime(token) {}
  }

  @Test("An element that is read by its index is a dependency")
  func readingAnElement() {
    let list = ObservedArray([1, 2])
    let last = Derived { list[1] }
    #expect(last.value == 2)
    list.set(5, at: 1)
    #expect(last.value == 5)
  }

  /// The address sanitizer sees whether more is read of such a variable than it has.
  @Test("Elements of a type without a size are edited and followed as any others")
  func withoutSize() {
    struct Empty: Sendable {}
    let (list, table, edits) = (ObservedArray<Empty>(), ObservedDictionary<Int, Empty>(), Recorder<Int>())
    let (mapped, filtered) = (list.map { _ in Empty() }, table.filter { key, _ in key % 2 == 0 })
    let tokens = [
      mapped.differences.observe { edits($0.edits.count) }, filtered.differences.observe { edits($0.edits.count) },
    ]
    for key in 0..<20 {
      list.insert(Empty(), at: key / 2)
      table.set(Empty(), for: key)
    }
    list.set(Empty(), at: 3)
    list.remove(at: 4)
    table.remove(2)
    #expect(list.value.count == 19 && mapped.value.count == 19)
    #expect(table.value.count == 19 && filtered.value.keys.sorted() == [0] + (2..<10).map { 2 * $0 })
    let count = edits.values.reduce(0, +)
    #expect(count == 33, "22 of the array, 11 of the dictionary")
    withExtendedLifetime(tokens) {}
  }
}
