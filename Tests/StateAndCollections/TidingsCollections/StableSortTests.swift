import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Stable sorting")
struct StableSortTests {
  private typealias Item = (key: Int, name: Int)
  private static func pairs(_ items: [Item]) -> [[Int]] { items.map { [$0.key, $0.name] } }

  @Test("After any edits a sorted array is what the standard library's stable sort makes of the array")
  func afterAnyEdits() {
    for seed in Runs.seeds(12, of: "stable sort") {
      var (random, name) = (SplitMix64(seed), 0)
      func item() -> Item {
        name += 1
        return (random.number(below: 4), name)
      }
      let list = ObservedArray((0..<random.number(below: 60)).map { _ in item() })
      let sorted = list.sorted { $0.key < $1.key }
      let mirror = Locked(sorted.value)
      let token = sorted.differences.observe { difference in
        mirror.withLock { mirror in for edit in difference.edits { edit.apply(to: &mirror) } }
      }
      for step in 0..<200 {
        let (kind, place, other) = (random.number(below: 6), random.number(below: 9_999), random.number(below: 9_999))
        let new = item()
        list.edit { list in
          switch list.isEmpty ? 0 : kind {
          case 0, 1: list.insert(new, at: place % (list.count + 1))
          case 2: list.remove(at: place % list.count)
          case 3: list[place % list.count] = new
          case 4: list.move(from: place % list.count, to: other % list.count)
          default: list.swapAt(place % list.count, other % list.count)
          }
        }
        let expected = Self.pairs(list.value.sorted { $0.key < $1.key })
        if Self.pairs(sorted.value) != expected || Self.pairs(mirror.current) != expected {
          Issue.record("TIDINGS_SEED=\(seed), step \(step)")
          return
        }
      }
      withExtendedLifetime(token) {}
    }
  }

  @Test("However often elements are inserted at one place, equal ones stay in the order of the array")
  func insertionsAtOnePlace() {
    for place in ["first", "middle", "after the last inserted", "last"] {
      let list = ObservedArray<Int>(Array(0..<10))
      let sorted = list.sorted { _, _ in false }
      #expect(sorted.value == list.value)
      for number in 10..<1_000 {
        let offset = ["first": 0, "middle": 5, "last": number][place] ?? number / 2
        list.edit { $0.insert(number, at: offset) }
        if number % 10 == 0 { #expect(sorted.value == list.value, "inserted \(place)") }
      }
      for number in 0..<900 { list.edit { $0.remove(at: (number * 7) % $0.count) } }
      #expect(sorted.value == list.value)
    }
  }

  @Test("Equal elements stay where they are when a transaction that has read them throws")
  func afterATransactionThatThrows() {
    struct Stop: Error {}
    let list = ObservedArray(["b", "c", "a"])
    let sorted = list.sorted { _, _ in false }
    #expect(sorted.value == ["b", "c", "a"])
    list.edit { $0.insert("d", at: 0) }
    list.edit { $0.move(from: 3, to: 1) }
    let before = sorted.value
    try? transaction {
      list.append("e")
      #expect(sorted.value == ["d", "a", "b", "c", "e"])
      throw Stop()
    }
    #expect(sorted.value == before && before == ["d", "a", "b", "c"])
    list.append("f")
    #expect(sorted.value == ["d", "a", "b", "c", "f"])
  }
}
