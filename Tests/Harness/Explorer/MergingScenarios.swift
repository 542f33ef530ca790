#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  /// Values that have nothing to do with each other until a computation reads both.
  static let merging: [Scenario] = [
    Scenario("21. Sources that nothing depends on yet are read while they are set one after the other") {
      let (first, second, seen) = (Observed(0), Observed(0), Recorder<[Int]>())
      return Round(
        threads: [
          setting(first, then: second),
          { seen(Derived { [first.value, second.value] }.value) },
          { seen(Derived { [second.value, first.value] }.value.reversed()) },
        ], violation: { mixture(seen.values) })
    },
    Scenario("21. Two graphs become one while a source of each is set, one after the other") {
      let ((first, second), (one, two)) = connected()
      let seen = Recorder<[Int]>()
      return Round(
        threads: [setting(first, then: second), { seen(Derived { [one.value, two.value] }.value) }],
        violation: {
          mixture(seen.values) ?? stale([one.value, two.value], [2, 2])
        })
    },
    Scenario("21. The same, of which the later one is read first") {
      let ((first, second), (one, two)) = connected()
      let seen = Recorder<[Int]>()
      return Round(
        threads: [setting(first, then: second), { seen(Derived { [two.value, one.value] }.value.reversed()) }],
        violation: {
          mixture(seen.values) ?? stale([one.value, two.value], [2, 2])
        })
    },
    Scenario("21. The same, set by a thread that another thread allows to") {
      let ((first, second), (one, two)) = connected()
      let (isFirstSet, seen) = (Locked(false), Recorder<[Int]>())
      return Round(
        threads: [
          {
            first.set(1)
            isFirstSet.withLock { $0 = true }
          },
          { if isFirstSet.current { second.set(1) } },
          { seen(Derived { [two.value, one.value] }.value.reversed()) },
        ], violation: { mixture(seen.values) ?? stale([one.value, two.value], [first.value, second.value]) })
    },
    Scenario("21. Two threads read each other's graphs") {
      let ((first, second), (one, two)) = connected()
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          { seen(Derived { [one.value, two.value] }.value) },
          { seen(Derived { [two.value, one.value] }.value.reversed()) },
          setting(first, then: second),
        ],
        violation: {
          mixture(seen.values) ?? stale([one.value, two.value], [2, 2])
        })
    },
    Scenario("21. Three graphs become one, of which two threads read two each") {
      let (((first, second), (one, two)), ((third, _), (three, _))) = (connected(), connected())
      let pairs = [Derived { [one.value, two.value] }, Derived { [three.value, two.value] }]
      return Round(
        threads: [{ _ = pairs[0].value }, { _ = pairs[1].value }, { second.set(1) }],
        violation: {
          for (source, number) in [(first, 2), (third, 3), (second, 4)] { source.set(number) }
          return stale(pairs.flatMap(\.value), [2, 4, 3, 4])
        })
    },
    Scenario("21. A value is computed of two graphs at a later snapshot than that of a computation in one of them") {
      let ((_, second), (one, two)) = connected()
      let (both, seen) = (Derived { one.value + two.value }, Recorder<[Int]>())
      return Round(
        threads: [
          {
            seen(
              Derived {
                let first = one.value
                let sum = both.value
                return [sum, first + two.value]
              }.value)
          },
          {
            _ = Derived { two.value }.value
            _ = both.value
          },
          { second.set(1) },
        ],
        violation: { seen.values.first { $0[0] != $0[1] }.map { "a mixture: \($0)" } ?? stale([both.value], [1]) })
    },
    Scenario("22. A transaction over two graphs beside a computation in one of them") {
      let ((first, second), (one, two)) = connected()
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          {
            transaction {
              first.set(1)
              second.set(1)
            }
          }, { seen(Derived { [one.value, two.value] }.value) },
        ],
        violation: {
          if let half = seen.values.first(where: { $0[0] != $0[1] }) { return "half of it: \(half)" }
          return stale([one.value, two.value], [1, 1])
        })
    },
    Scenario("18. A value is observed whose graphs become one, while a source of either is set") {
      let ((first, second), (one, two)) = connected()
      let (sum, received) = (Derived { one.value + two.value }, Recorder<Int>())
      let tokens = Locked<[Subscription]>([])
      return Round(
        threads: [
          {
            let token = sum.observe(.initial) { received($0.new) }
            tokens.withLock { $0.append(token) }
          },
          { first.set(1) }, { second.set(10) },
        ],
        violation: {
          if received.values.last != 11 { return "the last change was not notified: \(received.values)" }
          return stale([sum.value], [11])
        })
    },
    Scenario("18. Both graphs have notifications when they become one") {
      let ((first, second), (one, two)) = connected()
      let received = [Recorder<Int>(), Recorder<Int>()]
      let tokens = [one.observe { received[0]($0.new) }, two.observe { received[1]($0.new) }]
      return Round(
        threads: [{ first.set(1) }, { second.set(1) }, { _ = Derived { one.value + two.value }.value }],
        violation: {
          withExtendedLifetime(tokens) {}
          let all = received.map(\.values)
          return all == [[1], [1]] ? nil : "received \(all)"
        })
    },
    // The third thread keeps a copy for the second, and before the version that the first one reads. Those two yield where they
    // are to be in the middle of a computation, so that one preemption shows what is wrong.
    Scenario("21. A copy is kept for a pin of another graph while a computation reads an older version") {
      let (source, other, seen) = (Observed(-1), Observed(-1), Recorder<[Int]>())
      let pair = Derived {
        let first = source.value
        interleaver.spin()
        return [first, source.value]
      }
      let elsewhere = Derived {
        interleaver.spin()
        return other.value
      }
      _ = (pair.value, elsewhere.value)
      source.set(0)
      other.set(0)
      return Round(
        threads: [
          { seen(pair.value) },
          {
            source.set(1)
            _ = elsewhere.value
          },
          {
            other.set(1)
            source.set(2)
          },
        ],
        violation: {
          seen.values.first { $0[0] != $0[1] }.map { "a mixture: \($0)" }
            ?? stale(pair.value, [source.value, source.value])
        })
    },
    Scenario("15. A value is released while its graph becomes another's") {
      let (source, canaries) = (Observed(1), Canaries())
      let other = Observed(1)
      let kept = Derived { source.value }
      _ = kept.value
      let released = Locked<Derived<Int>?>(
        {
          let canary = canaries.make()
          let made = Derived {
            canary.touch()
            return other.value
          }
          _ = made.value
          return made
        }())
      return Round(
        threads: [
          { if let released = released.current { _ = Derived { kept.value + released.value }.value } },
          { released.current = nil },
          { other.set(2) },
        ],
        violation: { canaries.alive == 0 && kept.value == 1 ? nil : "its closure is kept" })
    },
  ]

  private typealias Pair = ((Observed<Int>, Observed<Int>), (Derived<Int>, Derived<Int>))
  /// Two sources and a derived value of each, in a graph of their own.
  private static func connected() -> Pair {
    let (first, second) = (Observed(0), Observed(0))
    let (one, two) = (Derived { first.value }, Derived { second.value })
    _ = (one.value, two.value)
    return ((first, second), (one, two))
  }
  private static func setting(_ first: Observed<Int>, then second: Observed<Int>) -> @Sendable () -> Void {
    {
      for number in 1...2 {
        first.set(number)
        second.set(number)
      }
    }
  }
  /// The first of a pair is set first: no moment has a second that is ahead, or more than one behind.
  private static func mixture(_ pairs: [[Int]]) -> String? {
    pairs.first { $0[1] > $0[0] || $0[1] < $0[0] - 1 }.map { "a mixture: \($0)" }
  }
  private static func stale(_ values: [Int], _ expected: [Int]) -> String? {
    values == expected ? nil : "stale: \(values)"
  }
}
#endif
