import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Arrays and dictionaries made of others")
struct ArrayOperatorTests {
  @Test(
    """
    40. `map`, `filter` and `sorted(by:)` of an array that notifies of differences, and `mapValues` and `filter` of a dictionary, \
    follow it edit by edit: their closures run for what was edited, a sorted array compares O(log n) times, and what they give is \
    what the standard library makes of the whole.
    """)
  func operatorsFollowEditByEdit() {
    closuresRunForWhatWasEdited()
    comparisonsAreLogarithmic()
    for seed in Runs.seeds(5, of: "array operators") { randomised(seed) }
    dictionaries()
    for seed in Runs.seeds(4, of: "observed dictionary") { dictionariesAmongThreads(seed) }
  }

  private func closuresRunForWhatWasEdited() {
    let (list, mapped, filtered) = (ObservedArray(Array(0..<1_000)), Locked(0), Locked(0))
    let names = list.map { number in
      mapped.withLock { $0 += 1 }
      return "\(number)"
    }
    let tens = list.filter { number in
      filtered.withLock { $0 += 1 }
      return number % 10 == 0
    }
    #expect(mapped.current == 0, "nothing is computed before the first read")
    #expect(names.value.count == 1_000 && tens.value.count == 100)
    #expect(mapped.current == 1_000 && filtered.current == 1_000)
    list.edit { list in
      list.insert(5_000, at: 500)
      list.remove(at: 0)
      list[0] = 70
      list.move(from: 0, to: 900)
    }
    #expect(names.value == list.value.map { "\($0)" } && tens.value == list.value.filter { $0 % 10 == 0 })
    #expect(mapped.current == 1_002 && filtered.current == 1_002)
  }

  private func comparisonsAreLogarithmic() {
    let (list, comparisons) = (ObservedArray(Array((0..<4_096).reversed())), Locked(0))
    let sorted = list.sorted { one, other in
      comparisons.withLock { $0 += 1 }
      return one < other
    }
    #expect(sorted.value == Array(0..<4_096))
    comparisons.current = 0
    list.edit { $0.append(2_000) }
    #expect(sorted.value[2_001] == 2_000 && comparisons.current <= 2 * 13)
    comparisons.current = 0
    list.edit { $0.remove(at: 17) }
    #expect(sorted.value.count == 4_096 && comparisons.current <= 2 * 13)
    // If the order does not distinguish most elements, finding one takes as few comparisons.
    let halves = list.sorted { one, other in
      comparisons.withLock { $0 += 1 }
      return one % 2 < other % 2
    }
    #expect(halves.value.count == 4_096)
    comparisons.current = 0
    list.edit { $0.remove(at: 1_000) }
    #expect(halves.value.count == 4_095 && comparisons.current <= 2 * 13)
  }

  private func randomised(_ seed: UInt64) {
    var random = SplitMix64(seed)
    let list = ObservedArray((0..<random.number(below: 1_200)).map { $0 })
    let chain = list.filter { $0 % 3 != 0 }.map { $0 * 2 }.filter { $0 % 5 != 0 }
    let sorted = list.sorted { $0 % 100 < $1 % 100 }
    let (mirror, isBroken) = (Locked(chain.value), Locked(false))
    let token = chain.differences.observe { difference in
      mirror.withLock { mirror in
        for edit in difference.edits { edit.apply(to: &mirror) }
        if mirror != difference.elements || difference.isReset { isBroken.current = true }
      }
    }
    for step in 0..<100 {
      let (kind, number) = (random.number(below: 5), random.number(below: 100_000))
      list.edit { list in
        if kind < 2 || list.isEmpty {
          list.insert(number, at: number % (list.count + 1))
        } else if kind == 2 {
          list.remove(at: number % list.count)
        } else if kind == 3 {
          list[number % list.count] = number / 3
        } else {
          list.move(from: number % list.count, to: (number / 7) % list.count)
        }
      }
      let value = list.value
      let expected = value.filter { $0 % 3 != 0 }.map { $0 * 2 }.filter { $0 % 5 != 0 }
      guard chain.value == expected, mirror.current == expected, !isBroken.current,
        sorted.value.sorted() == value.sorted(),
        sorted.value.map({ $0 % 100 }) == value.map({ $0 % 100 }).sorted()
      else {
        Issue.record("TIDINGS_SEED=\(seed), step \(step)")
        return
      }
    }
    withExtendedLifetime(token) {}
  }

  private func dictionaries() {
    let (prices, calls, received) = (ObservedDictionary(["MSFT": 40.0, "AAPL": 200]), Locked(0), Recorder<String>())
    let dear = prices.filter { _, price in price > 100 }
    let texts = prices.mapValues { price in
      calls.withLock { $0 += 1 }
      return "\(Int(price)) €"
    }
    let apple = prices.element(for: "AAPL")
    #expect(texts.value == ["MSFT": "40 €", "AAPL": "200 €"] && calls.current == 2)
    let tokens = [
      dear.differences.observe { received("dear \($0.keys.sorted())") },
      apple.observe { received("AAPL \($0.new.map { "\(Int($0))" } ?? "destroyed")") },
      prices.differences.observe(.initial) { received("\($0.isReset ? "all" : "some") \($0.keys.sorted())") },
    ]
    prices.set(50, for: "MSFT")
    prices.edit { prices in
      prices["AMZN", default: 100] += 70
      prices["AAPL"] = nil
      prices["NONE"] = nil
    }
    #expect(texts.value == ["MSFT": "50 €", "AMZN": "170 €"] && calls.current == 4 && prices["AMZN"] == 170)
    let expected = [
      "all [\"AAPL\", \"MSFT\"]", "some [\"MSFT\"]", "some [\"AAPL\", \"AMZN\"]",
      "dear [\"AAPL\", \"AMZN\"]", "AAPL destroyed",
    ]
    #expect(received.values.sorted() == expected.sorted())
    prices.edit { $0["AAPL"] = nil }
    prices.edit { $0.removeAll { _, price in price > 1_000 } }
    #expect(received.values.count == 5, "no edit is no change")
    prices.set(["IBM": 1])
    #expect(dear.value.isEmpty && texts.value == ["IBM": "1 €"])
    withExtendedLifetime(tokens) {}
  }

  private func dictionariesAmongThreads(_ seed: UInt64) {
    let (numbers, mirror, evenMirror) = (
      ObservedDictionary<Int, Int>(), Locked<[Int: Int]>([:]), Locked<[Int: Int]>([:])
    )
    let evens = numbers.filter { _, number in number % 2 == 0 }.mapValues { $0 / 2 }
    func follow(_ source: some DictionarySource<Int, Int>, _ mirror: Locked<[Int: Int]>) -> Subscription {
      source.differences.observe { difference in
        mirror.withLock { mirror in
          for edit in difference.edits {
            #expect(mirror[edit.key] == edit.old)
            mirror[edit.key] = edit.new
          }
        }
      }
    }
    let tokens = [follow(numbers, mirror), follow(evens, evenMirror)]
    Threads.together(4) { thread in
      var random = SplitMix64(seed, thread)
      for step in 0..<150 {
        let (key, other) = (random.number(below: 40), random.number(below: 40))
        if random.isOne(in: 3) {
          transaction {
            numbers.set(nil, for: key)
            numbers.edit { $0[other, default: 0] += step }
          }
        } else {
          numbers.set(thread * 1_000 + step, for: key)
        }
      }
    }
    #expect(mirror.current == numbers.value, "TIDINGS_SEED=\(seed)")
    #expect(evenMirror.current == numbers.value.filter { $1 % 2 == 0 }.mapValues { $0 / 2 }, "TIDINGS_SEED=\(seed)")
    withExtendedLifetime(tokens) {}
  }
}
