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
}
