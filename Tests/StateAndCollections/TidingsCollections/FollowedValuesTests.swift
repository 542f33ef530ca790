import Testing
import Tidings
import TidingsCollections
import TidingsTesting

/// Values that the closures of `map`, `filter`, `sorted(by:)` and `mapValues` read.
@Suite("Operators of collections whose closures read values")
struct FollowedValuesTests {
  @Test("filter follows a query: its result changes by edits, and the closure is called for all elements")
  func query() {
    let (tasks, query, calls) = (ObservedArray(["read", "write", "rest", "run"]), Observed("r"), Locked(0))
    let matching = tasks.filter { task in
      calls.withLock { $0 += 1 }
      return task.hasPrefix(query.value)
    }
    let edits = Recorder<String>()
    let token = matching.differences.observe { difference in
      edits("\(difference.isReset ? "all" : "\(difference.edits)")")
    }
    #expect(matching.value == ["read", "rest", "run"])
    query.set("re")
    #expect(matching.value == ["read", "rest"])
    query.set("")
    #expect(matching.value == tasks.value)
    calls.current = 0
    tasks.append("ride")
    #expect(matching.value.last == "ride" && calls.current == 6, "one for the edit, and one for each")
    query.set("r")
    query.set("ri")
    #expect(matching.value == ["ride"] && edits.values.count == 5 && !edits.values.contains("all"))
    withExtendedLifetime(token) {}
  }

  @Test("A closure that reads no value is called for what was edited, whatever else it has read before")
  func readsNoMore() {
    let (numbers, limit, calls) = (ObservedArray(Array(0..<100)), Observed<Int?>(nil), Locked(0))
    let isLimited = Locked(true)
    let low = numbers.filter { number in
      calls.withLock { $0 += 1 }
      return isLimited.current ? number < limit.value ?? .max : true
    }
    #expect(low.value.count == 100)
    isLimited.current = false
    limit.set(50)
    #expect(low.value.count == 100)
    calls.current = 0
    numbers.append(100)
    #expect(low.value.count == 101 && calls.current == 1)
  }

  @Test("A value is followed also if the closure reads it for a later element alone")
  func readsLater() {
    let (numbers, limit) = (ObservedArray([1, 2]), Observed(10))
    let included = numbers.filter { $0 < 5 || $0 < limit.value }
    #expect(included.value == [1, 2])
    numbers.append(7)
    #expect(included.value == [1, 2, 7])
    limit.set(6)
    #expect(included.value == [1, 2])
    numbers.append(3)
    limit.set(8)
    #expect(included.value == [1, 2, 7, 3])
  }

  @Test("A closure that reads the array itself is called for all elements")
  func readsItsSource() {
    let numbers = ObservedArray([3, 1, 3, 2])
    let likeFirst = numbers.filter { $0 == numbers.value.first }
    #expect(likeFirst.value == [3, 3])
    numbers.set(2, at: 0)
    #expect(likeFirst.value == [2, 2])
  }

  @Test("What is read in untracked is not followed")
  func untrackedReads() {
    let (numbers, limit) = (ObservedArray([1, 5]), Observed(3))
    let low = numbers.filter { number in untracked { number < limit.value } }
    #expect(low.value == [1])
    limit.set(9)
    #expect(low.value == [1])
  }

  @Test("sorted(by:) follows an order: by moves, or as a whole if these are many", arguments: [10, 1_000])
  func order(_ count: Int) {
    let (numbers, isAscending) = (ObservedArray(Array(0..<count)), Observed(true))
    let sorted = numbers.sorted { isAscending.value ? $0 < $1 : $0 > $1 }
    let differences = Recorder<Bool>()
    let token = sorted.differences.observe { differences($0.isReset) }
    #expect(sorted.value == Array(0..<count))
    isAscending.set(false)
    #expect(sorted.value == (0..<count).reversed())
    numbers.append(5)
    #expect(sorted.value == numbers.value.sorted(by: >))
    #expect(differences.values == [count > 100, false])
    withExtendedLifetime(token) {}
  }

  @Test("Each element may have values of its own")
  func rows() {
    final class Row: Sendable {
      let number: Int
      let isDone = Observed(false)
      init(_ number: Int) { self.number = number }
    }
    let rows = ObservedArray((0..<50).map { Row($0) })
    let open = rows.filter { !$0.isDone.value }.map { $0.number }
    let edits = Recorder<Int>()
    let token = open.differences.observe { edits($0.edits.count) }
    #expect(open.value == Array(0..<50))
    rows[7].isDone.set(true)
    rows[20].isDone.set(true)
    rows[7].isDone.set(false)
    #expect(open.value == (0..<50).filter { $0 != 20 } && edits.values == [1, 1, 1])
    withExtendedLifetime(token) {}
  }

  @Test("map, and mapValues and filter of a dictionary, follow as well")
  func others() {
    let (numbers, factor) = (ObservedArray([1, 2, 3]), Observed(10))
    let products = numbers.map { $0 * factor.value }
    let (prices, limit) = (ObservedDictionary(["a": 1, "b": 20]), Observed(10))
    let dear = prices.filter { _, price in price > limit.value }
    let texts = prices.mapValues { "\($0 * factor.value)" }
    let edits = Recorder<Int>()
    let tokens = [
      products.differences.observe { edits($0.isReset ? -1 : $0.edits.count) },
      dear.differences.observe { edits($0.isReset ? -1 : $0.edits.count) },
    ]
    #expect(products.value == [10, 20, 30] && dear.value == ["b": 20] && texts.value == ["a": "10", "b": "200"])
    factor.set(1)
    #expect(products.value == [1, 2, 3] && texts.value == ["a": "1", "b": "20"])
    numbers.append(4)
    #expect(products.value == [1, 2, 3, 4])
    limit.set(0)
    #expect(dear.value == ["a": 1, "b": 20])
    limit.set(100)
    prices.set(200, for: "c")
    #expect(dear.value == ["c": 200] && edits.values == [3, 1, 1, 2, 1])
    withExtendedLifetime(tokens) {}
  }

  @Test("An element that stays is not edited, whether or not it can be compared")
  func staying() {
    final class Box: Sendable {}
    struct Incomparable: Sendable {}
    let boxes = (0..<4).map { _ in Box() }
    let (limit, edits) = (Observed(3), Recorder<Int>())
    let (byKey, numbers) = (
      ObservedDictionary([0: Incomparable(), 1: Incomparable(), 2: Incomparable()]), ObservedArray([0, 1, 2])
    )
    let low = byKey.filter { key, _ in key < limit.value }
    let shown = numbers.map { boxes[min($0, limit.value)] }
    let nowhere = numbers.map { limit.value > 9 ? 0 : Double.nan + Double($0) }
    let tokens = [
      low.differences.observe { edits($0.isReset ? -1 : $0.edits.count) },
      shown.differences.observe { edits($0.isReset ? -1 : $0.edits.count) },
      nowhere.differences.observe { edits($0.isReset ? -1 : $0.edits.count) },
    ]
    limit.set(2)
    limit.set(1)
    #expect(edits.values == [1, 1, 1])
    withExtendedLifetime(tokens) {}
  }

  @Test("Beside edits, sets and transactions that throw, results and differences are those of the whole")
  func randomised() {
    for seed in Runs.seeds(5, of: "values in closures") {
      var random = SplitMix64(seed)
      let list = ObservedArray((0..<random.number(below: 300)).map { $0 })
      let (divisor, isAscending, offset) = (Observed(2), Observed(true), Observed(0))
      let chain = list.filter { $0 % divisor.value != 0 }.map { $0 + offset.value }.sorted {
        isAscending.value ? $0 % 50 < $1 % 50 : $0 % 50 > $1 % 50
      }
      func expected() -> [Int] {
        let kept = list.value.filter { $0 % divisor.value != 0 }.map { $0 + offset.value }
        // The standard library's sort is stable.
        return isAscending.value ? kept.sorted { $0 % 50 < $1 % 50 } : kept.sorted { $0 % 50 > $1 % 50 }
      }
      let (mirror, isBroken) = (Locked(chain.value), Locked(false))
      let token = chain.differences.observe { difference in
        mirror.withLock { mirror in
          if difference.isReset { mirror = difference.elements }
          for edit in difference.edits where !difference.isReset { edit.apply(to: &mirror) }
          if mirror != difference.elements { isBroken.current = true }
        }
      }
      func step() {
        let (kind, number) = (random.number(below: 9), random.number(below: 100_000))
        switch kind {
        case 0: divisor.set(number % 5 + 2)
        case 1: isAscending.set(number % 2 == 0)
        case 2: offset.set(number % 3)
        case 3, 4: list.edit { $0.insert(number, at: number % ($0.count + 1)) }
        case 5: list.edit { list in if !list.isEmpty { list.remove(at: number % list.count) } }
        case 6: list.edit { list in if !list.isEmpty { list[number % list.count] = number / 3 } }
        case 7:
          list.edit { list in if !list.isEmpty { list.move(from: number % list.count, to: number / 7 % list.count) } }
        default: list.set(Array(list.value.prefix(number % 300)))
        }
      }
      for round in 0..<150 {
        if random.isOne(in: 3) {
          struct Failure: Error {}
          let isThrowing = random.isOne(in: 2)
          try? transaction {
            for _ in 0..<3 {
              step()
              if random.isOne(in: 2), chain.value != expected() { isBroken.current = true }
            }
            if isThrowing { throw Failure() }
          }
        } else {
          step()
        }
        guard chain.value == expected(), mirror.current == expected(), !isBroken.current else {
          Issue.record("TIDINGS_SEED=\(seed), round \(round)")
          return
        }
      }
      withExtendedLifetime(token) {}
    }
  }

  @Test("Among threads a result belongs to the values with which it is read")
  func threads() {
    let (list, divisor, isWrong) = (ObservedArray(Array(0..<200)), Observed(2), Locked(false))
    let kept = list.filter { $0 % divisor.value == 0 }
    let all = Derived { (divisor: divisor.value, list: list.value, kept: kept.value) }
    Threads.together(3) { thread in
      for step in 0..<200 {
        switch thread {
        case 0: divisor.set(step % 4 + 1)
        case 1: list.append(step)
        default: break
        }
        let read = all.value
        if read.kept != read.list.filter({ $0 % read.divisor == 0 }) { isWrong.current = true }
      }
    }
    #expect(!isWrong.current)
  }
}
