import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Observed arrays")
struct ObservedArrayTests {
  @Test(
    """
    39. The differences of an `ObservedArray` are its edits as they were made, one difference for each change and none lost: made \
    one after the other in another array that was the same, they give the array, whichever threads edit it, in and out of \
    transactions. It is a value: all sentences about values hold for it.
    """)
  func differencesAreTheEditsAsTheyWereMade() async {
    editsAreDifferences()
    oneDifferenceForATransaction()
    nothingForNoEdits()
    whatThrowsOrIsRolledBackLeavesNoEdits()
    moreEditsThanAreKept()
    isAValue()
    for seed in Runs.seeds(4, of: "observed array") { amongThreads(seed) }
  }

  private func editsAreDifferences() {
    let (list, received) = (ObservedArray(["a", "b", "c"]), Recorder<ArrayDifference<String>>())
    let token = list.differences.observe { received($0) }
    list.edit { list in
      list.append("d")
      list[1] = "B"
      list.move(from: 3, to: 0)
      list.remove(at: 1)
    }
    list.edit { $0.replaceSubrange(1...2, with: ["x", "y", "z"]) }
    list.edit { $0.swapAt(0, 1) }
    let edits: [[ArrayEdit<String>]] = [
      [.insert("d", at: 3), .replace("b", with: "B", at: 1), .move("d", from: 3, to: 0), .remove("a", at: 1)],
      [.remove("c", at: 2), .remove("B", at: 1), .insert("x", at: 1), .insert("y", at: 2), .insert("z", at: 3)],
      [.replace("d", with: "x", at: 0), .replace("x", with: "d", at: 1)],
    ]
    #expect(received.values.map(\.edits) == edits && received.values.allSatisfy { !$0.isReset })
    #expect(received.values.map(\.elements) == [["d", "B", "c"], ["d", "x", "y", "z"], ["x", "d", "y", "z"]])
    list.set(["n"])
    #expect(received.values.last?.isReset == true && received.values.last?.elements == ["n"])
    var mirror = ["a", "b", "c"]
    for difference in received.values { for edit in difference.edits { edit.apply(to: &mirror) } }
    #expect(mirror == ["n"], "the edits of a reset lead there as well")
    withExtendedLifetime(token) {}
  }

  private func oneDifferenceForATransaction() {
    let (list, count) = (ObservedArray([1]), Observed(1))
    let received = Recorder<String>()
    let token = list.differences.observe(.initial) { received("\($0.edits.count) \($0.elements) \(count.value)") }
    let isConsistent = Derived { list.value.count == count.value }
    transaction {
      list.edit { $0.append(2) }
      #expect(list.value == [1, 2] && !isConsistent.value)
      Threads.elsewhere { #expect(list.value == [1] && isConsistent.value) }
      list.append(3)
      count.set(3)
    }
    #expect(received.values == ["1 [1] 1", "2 [1, 2, 3] 3"] && isConsistent.value)
    withExtendedLifetime(token) {}
  }

  private func nothingForNoEdits() {
    let (list, received) = (ObservedArray([1, 2]), Recorder<Int>())
    let tokens = [list.differences.observe { _ in received(1) }, list.observe { _ in received(2) }]
    list.edit { _ in }
    list.removeAll { $0 > 9 }
    #expect(received.values.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  private func whatThrowsOrIsRolledBackLeavesNoEdits() {
    struct Stop: Error {}
    let (list, received) = (ObservedArray([1]), Recorder<ArrayDifference<Int>>())
    let doubled = list.map { $0 * 2 }
    let tokens = [list.differences.observe { received($0) }]
    #expect(throws: Stop.self) {
      try list.edit { list throws(Stop) in
        list.append(2)
        throw Stop()
      }
    }
    try? transaction {
      list.append(3)
      #expect(doubled.value == [2, 6])
      throw Stop()
    }
    #expect(list.value == [1] && received.values.isEmpty && doubled.value == [2])
    list.append(4)
    #expect(received.values.map(\.edits) == [[.insert(4, at: 1)]] && doubled.value == [2, 8])
    withExtendedLifetime(tokens) {}
  }

  private func moreEditsThanAreKept() {
    let (list, received) = (ObservedArray<Int>(), Recorder<ArrayDifference<Int>>())
    let token = list.differences.observe { received($0) }
    transaction { for number in 0..<200 { list.append(number) } }
    #expect(received.values.last?.edits.count == 200 && received.values.last?.isReset == false)
    transaction {
      for number in 0..<600 {
        list.edit { $0.append(number) }
        list.edit { _ = $0.removeLast() }
      }
      list.append(-1)
    }
    #expect(received.values.last?.isReset == true && received.values.last?.elements == Array(0..<200) + [-1])
    withExtendedLifetime(token) {}
  }

  private func isAValue() {
    let (list, received, wholes) = (ObservedArray(["b"]), Recorder<String>(), Recorder<[String]>())
    let sum = Derived { list.value.joined() }
    let tokens = [
      sum.observe(.initial) { received($0.new) }, list.observe(.initial) { wholes($0.new) },
      list.changes.observe { #expect($0.old! + [$0.new.last!] == $0.new) },
    ]
    list.append("c")
    list.append("d")
    #expect(received.values == ["b", "bc", "bcd"] && wholes.values == [["b"], ["b", "c"], ["b", "c", "d"]])
    let value: ReadOnly<[String]> = ReadOnly(list)
    #expect(value.value == ["b", "c", "d"])
    withExtendedLifetime(tokens) {}
  }

  /// A mirror made of the differences is the array, and so is what the operators have made of them.
  private func amongThreads(_ seed: UInt64) {
    let (list, count) = (ObservedArray<Int>(), Observed(0))
    let (mirror, broken, resets) = (Locked<[Int]>([]), Locked(0), list.differences.filter { $0.isReset }.record())
    let evens = list.filter { $0 % 2 == 0 }.map { $0 / 2 }
    let ordered = list.sorted { $0 % 50 < $1 % 50 }
    let (evenMirror, orderedMirror) = (Locked<[Int]>([]), Locked<[Int]>([]))
    func follow(_ array: some ArraySource<Int>, _ mirror: Locked<[Int]>) -> Subscription {
      array.differences.observe { difference in
        mirror.withLock { mirror in
          for edit in difference.edits { edit.apply(to: &mirror) }
          if mirror != difference.elements { broken.withLock { $0 += 1 } }
        }
      }
    }
    let tokens = [follow(list, mirror), follow(evens, evenMirror), follow(ordered, orderedMirror)]
    let sizes = Derived { (list.value.count, count.value, evens.value.count, ordered.value.count) }
    let mixed = Locked(0)
    Threads.together(4) { thread in
      var random = SplitMix64(seed, thread)
      for step in 0..<150 {
        let number = thread * 1_000 + step
        let (kind, place) = (random.number(below: 6), random.number(below: 1_000))
        @Sendable func grow() {
          list.edit { $0.insert(number, at: place % ($0.count + 1)) }
          count.update { $0 += 1 }
        }
        switch kind {
        case 0, 1: transaction(grow)
        case 2:
          transaction {
            let isRemoved = list.edit { list -> Bool in
              if list.isEmpty { return false }
              list.remove(at: place % list.count)
              return true
            }
            if isRemoved { count.update { $0 -= 1 } }
          }
        case 3: list.edit { if !$0.isEmpty { $0.move(from: place % $0.count, to: (place / 7) % $0.count) } }
        case 4: list.edit { if !$0.isEmpty { $0[place % $0.count] = number } }
        default:
          transaction {
            grow()
            list.edit { $0.swapAt(0, $0.count - 1) }
          }
        }
        if random.isOne(in: 4) {
          let (size, count, evenCount, orderedCount) = sizes.value
          if size != orderedCount || evenCount > size { mixed.withLock { $0 += 1 } }
          _ = count
        }
      }
    }
    let value = list.value
    #expect(mirror.current == value, "TIDINGS_SEED=\(seed)")
    #expect(evenMirror.current == value.filter { $0 % 2 == 0 }.map { $0 / 2 }, "TIDINGS_SEED=\(seed)")
    #expect(orderedMirror.current.sorted() == value.sorted(), "TIDINGS_SEED=\(seed)")
    #expect(zip(orderedMirror.current, orderedMirror.current.dropFirst()).allSatisfy { $0 % 50 <= $1 % 50 })
    #expect(broken.current == 0 && mixed.current == 0, "TIDINGS_SEED=\(seed)")
    #expect(resets.values.isEmpty, "every edit was delivered as it was made")
    withExtendedLifetime(tokens) {}
  }

  @Test("A difference is a CollectionDifference of the standard library, by offsets before and after")
  func collectionDifferences() {
    for seed in Runs.seeds(60, of: "collection differences") {
      var random = SplitMix64(seed)
      let start = (0..<random.number(below: 8)).map { $0 }
      let (list, received) = (ObservedArray(start), Recorder<ArrayDifference<Int>>())
      let token = list.differences.observe { received($0) }
      for round in 0..<4 {
        let before = list.value
        let numbers = (0..<random.number(below: 6)).map { _ in (random.number(below: 5), random.number(below: 100)) }
        list.edit { list in
          for (kind, number) in numbers { change(&list, kind, number, round) }
        }
        if random.isOne(in: 5) { list.set([round, 7, round]) }
        guard let difference = received.values.last, list.value != before else { continue }
        let last = difference.isReset && received.values.count > 1 ? received.values[received.values.count - 2] : nil
        var from = before
        if let last, last.elements != before { from = last.elements }
        #expect(from.applying(difference.collectionDifference) == difference.elements, "TIDINGS_SEED=\(seed)")
      }
      withExtendedLifetime(token) {}
    }
  }
  private func change(_ list: inout ArrayEditor<Int>, _ kind: Int, _ number: Int, _ round: Int) {
    if kind == 0 || list.isEmpty { return list.insert(round * 100 + number, at: number % (list.count + 1)) }
    switch kind {
    case 1: list.remove(at: number % list.count)
    case 2: list[number % list.count] = -number
    case 3: list.move(from: number % list.count, to: (number / 3) % list.count)
    default: list.swapAt(0, number % list.count)
    }
  }
}
