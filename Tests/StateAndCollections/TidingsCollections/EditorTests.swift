import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Editors of arrays and dictionaries")
struct EditorTests {
  @Test("An array that is emptied in an edit is empty, and so are a mirror and what follows the array")
  func removingAll() {
    let list = ObservedArray([3, 1, 2])
    let followers = ArrayFollowers(list)
    list.edit { $0.removeAll() }
    #expect(list.value == [] && followers.disagreement == nil)
    list.edit { list in
      list.removeAll()
      list.append(7)
    }
    #expect(list.value == [7] && followers.disagreement == nil)
    list.edit { list in
      list.append(8)
      list.removeAll(keepingCapacity: true)
      list.append(9)
    }
    #expect(list.value == [9] && followers.disagreement == nil)
  }

  @Test("Every member of an array's protocols does in an edit what it does to an array, and all that follows agrees")
  func everyMember() {
    for seed in Runs.seeds(40, of: "array editor") {
      var random = SplitMix64(seed)
      let list = ObservedArray((0..<random.number(below: 12)).map { $0 })
      let followers = ArrayFollowers(list)
      var plain = list.value
      for step in 0..<60 {
        let members = (0..<random.number(below: 4)).map { _ in random.number(below: 1_000) }
        let seeds = members.map { _ in random.next() }
        let expected = Self.call(members, seeds, on: &plain)
        let isInTransaction = random.isOne(in: 4)
        let results = list.edit { Self.call(members, seeds, on: &$0) }
        if isInTransaction {
          transaction {
            list.append(step)
            list.edit { _ = $0.removeLast() }
          }
        }
        if plain.count > 40 {
          list.edit { $0.removeLast(30) }
          plain.removeLast(30)
        }
        let disagreement = results != expected ? "results" : list.value != plain ? "array" : followers.disagreement
        if let disagreement {
          Issue.record("TIDINGS_SEED=\(seed), step \(step), members \(members): \(disagreement)")
          return
        }
      }
    }
  }
  private static func call<C>(_ members: [Int], _ seeds: [UInt64], on c: inout C) -> [[Int]]
  where
    C: MutableCollection & RangeReplaceableCollection & RandomAccessCollection, C.Element == Int, C.Index == Int,
    C.SubSequence: MutableCollection & RangeReplaceableCollection
  {
    var results: [[Int]] = []
    for (member, seed) in zip(members, seeds) {
      var random = SplitMix64(seed)
      let numbers = CollectionMembers<C>.Numbers(c.count) { random.number(below: $0) }
      results.append(CollectionMembers<C>.call(member, on: &c, numbers))
    }
    return results
  }

  @Test("An editor that is kept from another edit, or from another array, replaces the array as a whole")
  func editorsFromElsewhere() {
    let (list, other) = (ObservedArray([1, 2, 3]), ObservedArray([4, 5]))
    let followers = ArrayFollowers(list)
    let kept = list.edit { list in
      list.append(4)
      return list
    }
    list.edit { $0.remove(at: 0) }
    list.edit { $0 = kept }
    #expect(list.value == [1, 2, 3, 4] && followers.disagreement == nil)
    let foreign = other.edit { other in
      other[0] = 9
      return other
    }
    list.edit { list in
      list = foreign
      list.append(6)
    }
    #expect(list.value == [9, 5, 6] && followers.disagreement == nil)
  }

  @Test("An editor that is restored within its edit takes back the edits since then")
  func restoredEditor() {
    let list = ObservedArray([1, 2, 3])
    let followers = ArrayFollowers(list)
    let resets = list.differences.filter { $0.isReset }.record()
    list.edit { list in
      list.append(4)
      let before = list
      list.removeAll()
      list = before
      list.append(5)
    }
    #expect(list.value == [1, 2, 3, 4, 5] && followers.disagreement == nil && resets.values.isEmpty)
  }

  @Test("A new editor in place of an empty array's is no change while it stays empty")
  func emptyStaysEmpty() {
    let (list, received) = (ObservedArray<Int>(), Recorder<[Int]>())
    let token = list.differences.observe { received($0.elements) }
    list.edit { $0.removeAll() }
    #expect(received.values.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("Removing by a predicate is one edit for each element that is removed")
  func removingByPredicate() {
    let (list, received) = (ObservedArray(["a", "", "b", "", "c"]), Recorder<[ArrayEdit<String>]>())
    let token = list.differences.observe { received($0.edits) }
    list.edit { $0.removeAll { $0.isEmpty } }
    #expect(received.values == [[.remove("", at: 3), .remove("", at: 1)]])
    withExtendedLifetime(token) {}
  }

  @Test("A lazy collection that is inserted is evaluated once: the edits have the elements of the array")
  func lazyInsertions() {
    final class Row: Sendable {}
    let (rows, mirror) = (ObservedArray<Row>(), Locked<[Row]>([]))
    let token = rows.differences.observe { difference in
      mirror.withLock { mirror in for edit in difference.edits { edit.apply(to: &mirror) } }
    }
    rows.edit { $0.insert(contentsOf: (0..<3).lazy.map { _ in Row() }, at: 0) }
    rows.edit { $0.replaceSubrange(1..<2, with: (0..<2).lazy.map { _ in Row() }) }
    #expect(mirror.current.count == 4 && zip(mirror.current, rows.value).allSatisfy { $0 === $1 })
    withExtendedLifetime(token) {}
  }

  @Test("A dictionary's editor that is kept from another edit, or from another dictionary, replaces it as a whole")
  func dictionaryEditorsFromElsewhere() {
    let (prices, other) = (ObservedDictionary([1: 1, 2: 2]), ObservedDictionary([3: 3]))
    let followers = DictionaryFollowers(prices)
    func expectAll(_ expected: [Int: Int]) {
      #expect(prices.value == expected && followers.disagreement == nil)
    }
    let kept = prices.edit { prices in
      prices[1] = 4
      return prices
    }
    prices.edit { $0[2] = nil }
    prices.edit { $0 = kept }
    expectAll([1: 4, 2: 2])
    let foreign = other.edit { other in
      other[4] = 6
      return other
    }
    prices.edit { prices in
      prices = foreign
      prices[5] = 8
    }
    expectAll([3: 3, 4: 6, 5: 8])
  }
}
