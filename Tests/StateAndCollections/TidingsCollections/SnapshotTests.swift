import Testing
import Tidings
import TidingsTesting

@testable import TidingsCollections

@Suite("Snapshots of arrays and dictionaries")
struct SnapshotTests {
  @Test("A snapshot stays as it was while the array is edited, and has the elements of the value")
  func arrays() {
    let list = ObservedArray(Array(0..<500))
    let sorted = list.sorted { $0 > $1 }
    let received = Recorder<Bool>()
    let token = sorted.differences.observe { received($0.snapshot.elementsEqual($0.elements)) }
    let (before, sortedBefore) = (list.snapshot, sorted.snapshot)
    list.edit { list in
      list.removeAll { $0 % 3 == 0 }
      list.insert(1_000, at: 7)
    }
    #expect(before.elementsEqual(0..<500) && sortedBefore.elementsEqual((0..<500).reversed()))
    #expect(before[20] == 20 && before.count == 500 && before.last == 499 && before.dropFirst(490).first == 490)
    #expect(Array(list.snapshot) == list.value && Array(sorted.snapshot) == sorted.value && received.values == [true])
    #expect(before == ArraySnapshot(PersistentArray(Array(0..<500))) && before != list.snapshot)
    #expect(list.snapshot == list.snapshot && Set([before, before, list.snapshot]).count == 2)
    #expect(ObservedArray(["a"]).snapshot.description == "[\"a\"]" && ObservedArray<Int>().snapshot.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test(
    "The iterator of a snapshot gives every element once, whatever the shape of the tree",
    arguments: [0, 1, 63, 64, 65, 1_000, 20_000])
  func iteration(_ count: Int) {
    var tree = PersistentArray(Array(0..<count))
    var plain = Array(0..<count)
    for number in 0..<count / 3 {
      tree.remove(at: (number * 7) % tree.count)
      plain.remove(at: (number * 7) % plain.count)
    }
    var elements: [Int] = []
    for element in ArraySnapshot(tree) {
      elements.append(element)
      if elements.count > count { break }  // the test is to fail, not to go on for ever
    }
    #expect(elements == plain)
  }

  @Test("The value of a state is made once: each reader receives the same storage")
  func values() {
    let list = ObservedArray(Array(0..<100))
    list.append(1)
    func address(_ array: [Int]) -> UnsafePointer<Int>? { array.withUnsafeBufferPointer { $0.baseAddress } }
    let (before, again) = (list.value, list.value)
    #expect(address(before) == address(again))
    list.append(2)
    #expect(address(before) != address(list.value) && before.count == 101)
  }

  @Test("An edit copies one path of nodes, in the array and in what map, filter and sorted make of it")
  func sharing() {
    let list = ObservedArray(Array(0..<20_000))
    let derived = [list.map { $0 * 2 }, list.filter { $0 % 2 == 0 }, list.sorted { $0 % 100 < $1 % 100 }]
    func trees() -> [PersistentArray<Int>] { [list.state.value.tree] + derived.map { $0.state.value.tree } }
    var before = trees()
    for edit in [{ $0[10_000] = 7_000 }, { $0.insert(4, at: 9_000) }, { $0.remove(at: 9_000) }]
      as [(inout ArrayEditor<Int>) -> Void]
    {
      list.edit(edit)
      for (one, other) in zip(before, trees()) {
        let copied = other.root!.everyNode.subtracting(one.root!.everyNode).count
        // A replacement in a sorted array is a removal and an insertion; each may split or merge a node of each level.
        #expect(copied > 0 && copied <= 4 * (other.root!.level + 1))
      }
      before = trees()
    }
  }

  @Test(
    "In an edit a range is read and set as a slice of the editor, and as a slice of an array where the code names that")
  func slices() {
    let list = ObservedArray(Array(0..<10))
    list.edit { list in
      let part = list[2..<5]
      let named: ArraySlice<Int> = list[2..<5]
      #expect(Array(part) == [2, 3, 4] && named == [2, 3, 4] && named.startIndex == 2 && part.startIndex == 2)
      list[0..<2] = [8, 9]
      list[2..<4] = [7]
      list[5...].sort(by: >)
    }
    #expect(list.value == [8, 9, 7, 4, 5, 9, 8, 7, 6])
  }

  @Test("A snapshot of a dictionary stays as it was while the dictionary is edited, and has the elements of the value")
  func dictionaries() {
    let prices = ObservedDictionary(Dictionary(uniqueKeysWithValues: (0..<300).map { ($0, "\($0)") }))
    let lengths = prices.mapValues(\.count)
    let received = Recorder<Bool>()
    let token = lengths.differences.observe { difference in
      received(difference.snapshot.allSatisfy { difference.elements[$0.key] == $0.value })
    }
    let before = prices.snapshot
    prices.edit { prices in
      #expect(prices.count == 300 && prices.elements.count == 300 && prices.snapshot[7] == "7" && !prices.isEmpty)
      prices.removeAll { key, _ in key % 2 == 0 }
      prices[7] = "seven"
    }
    #expect(before.count == 300 && before[7] == "7" && before[8] == "8" && !before.isEmpty)
    let after = Dictionary(uniqueKeysWithValues: prices.snapshot.map { ($0.key, $0.value) })
    #expect(after == prices.value && after[7] == "seven" && after.count == 150 && received.values == [true])
    #expect(before != prices.snapshot && prices.snapshot == prices.snapshot)
    #expect(ObservedDictionary(["a": 1]).snapshot.description == "[\"a\": 1]")
    #expect(lengths.snapshot[7] == 5)
    withExtendedLifetime(token) {}
  }
}

extension Node {
  fileprivate var everyNode: Set<ObjectIdentifier> {
    ((self as? Branch)?.nodes ?? []).reduce(into: [ObjectIdentifier(self)]) { $0.formUnion($1.everyNode) }
  }
}
