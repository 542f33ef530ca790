import TestSupport
import Testing
import Tidings
import TidingsTesting

/// Derived values made on demand and cached, as a program keeps one for each row: another thread may empty the cache while a
/// computation consumes one of them.
@Suite("Derived: a dependency that is released before its reader is published")
struct ReleasedDependencyTests {
  private final class Cache: Sendable {
    private let kept = Locked<[Int: Derived<Int>]>([:])

    func look(_ key: Int, _ make: () -> Derived<Int>) -> Int {
      kept.withLock { kept in
        if let known = kept[key] { return known }
        let new = make()
        kept[key] = new
        return new
      }.value
    }
    func empty() { kept.current = [:] }
  }

  /// A sum of a cached value and another, whose first computation ends after the cache was emptied by another thread.
  private func sum(
    of source: Observed<Int>, _ other: Observed<Int>?, _ computations: Tally = Tally()
  ) -> Derived<Int> {
    let (cache, isFirst) = (Cache(), Locked(true))
    return Derived {
      let cached = cache.look(1) { Derived { source.value } }
      let isReleased = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isReleased { Threads.elsewhere { cache.empty() } }
      computations.add(1)
      return cached + (other?.value ?? 0)
    }
  }

  @Test(
    "18, 21. What was computed from a value that another thread has released is recomputed and notified at the next change",
    arguments: [true, false], [true, false])
  func read(hasOther: Bool, isObserved: Bool) {
    let (source, other, received) = (Observed(1), hasOther ? Observed(10) : nil, Recorder<Int>())
    let sum = sum(of: source, other)
    let expected = [1, 2, 3].map { $0 + (hasOther ? 10 : 0) }
    let token = isObserved ? sum.observe(.initial) { received($0.new) } : nil
    for number in 1...3 {
      if number > 1 { source.set(number) }
      if !isObserved { received(sum.value) }
    }
    #expect(received.values == expected)
    withExtendedLifetime(token) {}
  }

  @Test("21. So is what was derived from that, and once recomputed it is computed once a change")
  func readThroughAnother() {
    let (source, other, computations) = (Observed(1), Observed(10), Tally())
    let sum = sum(of: source, other, computations)
    let twice = Derived { sum.value * 2 }
    #expect(twice.value == 22)
    source.set(2)
    #expect(twice.value == 24)
    let before = computations.total
    #expect(sum.value == 12 && twice.value == 24)
    source.set(3)
    #expect(sum.value == 13 && twice.value == 26)
    #expect(computations.total == before + 1)
  }

  @Test(
    "18, 21. Random writes, while another thread empties the cache: what is read and what was received last are right",
    .slow)
  func randomised() {
    for seed in Runs.seeds(6, of: "a cache that is emptied") {
      let (cache, isOver) = (Cache(), Locked(false))
      let (sources, other) = ((0..<4).map { Observed($0) }, Observed(0))
      let values = (0..<3).map { number in
        Derived {
          (0...number).reduce(other.value) { sum, key in
            sum + cache.look(key) { Derived { sources[key].value } }
          }
        }
      }
      let last = Locked([0, 0, 0])
      let tokens = values.indices.map { index in
        values[index].observe(.initial) { change in last.withLock { $0[index] = change.new } }
      }
      let emptied = Gate()
      Threads.start {
        while !isOver.current { cache.empty() }
        emptied.open()
      }
      var random = SplitMix64(seed)
      var expected = sources.map(\.value)
      for round in 0..<500 {
        let (key, value) = (random.number(below: 4), random.number(below: 100))
        expected[key] = value
        sources[key].set(value)
        if random.number(below: 3) == 0 { other.set(0) }
        let right = (0..<3).map { expected[0...$0].reduce(0, +) }
        let (read, received) = (values.map(\.value), last.current)
        guard read == right, received == right else {
          Issue.record("TIDINGS_SEED=\(seed), round \(round): read \(read), received \(received), right \(right)")
          break
        }
      }
      isOver.current = true
      #expect(emptied.wait())
      withExtendedLifetime(tokens) {}
    }
  }
}
