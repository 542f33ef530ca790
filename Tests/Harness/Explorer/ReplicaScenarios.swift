#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  /// Sources that threads read in graphs of their own.
  static let replicas: [Scenario] = [
    Scenario("16. A source is set while another thread begins to read it in a graph of its own") {
      let (source, own, home) = shared()
      let sum = Derived { own.value + source.value }
      return Round(
        threads: [{ source.set(1) }, { _ = sum.value }],
        violation: { stale([sum.value, home.value], [1, 1]) })
    },
    Scenario("16. A source is set twice, which three threads read in graphs of their own") {
      let (source, own, home) = shared()
      let (first, second) = (Derived { own.value + source.value }, Derived { source.value * 2 })
      return Round(
        threads: [
          {
            source.set(1)
            source.set(2)
          }, { for _ in 0..<2 { _ = first.value } }, { _ = second.value },
        ],
        violation: { stale([first.value, second.value, home.value], [2, 4, 2]) })
    },
    Scenario("16. A source is updated by two threads while a third begins to read it in a graph of its own") {
      let (source, own, home) = shared()
      let sum = Derived { own.value + source.value }
      return Round(
        threads: [{ source.update { $0 += 1 } }, { source.update { $0 += 1 } }, { _ = sum.value }],
        violation: { stale([source.value, sum.value, home.value], [2, 2, 2]) })
    },
    Scenario("21. A source is read in another graph, and then what was derived from it in its own") {
      let (source, _, home) = shared()
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          {
            source.set(1)
            source.set(2)
          }, { for _ in 0..<2 { seen(Derived { [source.value, home.value] }.value) } },
        ],
        violation: { unequal(seen.values) ?? stale([home.value], [2]) })
    },
    // The larger graph takes in the smaller one, so from then on the source itself is read, and its replica no more.
    Scenario("21. A source is read in a small graph, and then what was derived from it in its own, which is larger") {
      let (source, _, home) = shared()
      let (others, seen) = ((0..<2).map { _ in Derived { source.value } }, Recorder<[Int]>())
      _ = others.map(\.value)
      return Round(
        threads: [{ source.set(1) }, { seen(Derived { [source.value, home.value] }.value) }],
        violation: { unequal(seen.values) ?? stale([home.value] + others.map(\.value), [1, 1, 1]) })
    },
    Scenario("21. Two sources that are read in another graph are set one after the other") {
      let ((first, _, _), (second, _, _)) = (shared(), shared())
      let seen = Recorder<[Int]>()
      let both = Derived { [second.value, first.value] }
      return Round(
        threads: [
          {
            first.set(1)
            second.set(1)
          }, { for _ in 0..<2 { seen(both.value) } },
        ],
        violation: {
          if seen.values.contains([1, 0]) { return "a mixture: [1, 0]" }
          return both.value == [1, 1] ? nil : "stale: \(both.value)"
        })
    },
    Scenario("21. A source is read twice in a graph in which another thread computes between") {
      let (source, own, home) = shared()
      let base = Derived { own.value }
      _ = base.value
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          {
            seen(
              Derived {
                let (before, first) = (base.value, source.value)
                return [first, before + source.value]
              }.value)
          }, { for _ in 0..<2 { _ = Derived { base.value }.value } },
          {
            source.set(1)
            source.set(2)
          },
        ],
        violation: { unequal(seen.values) ?? stale([home.value], [2]) })
    },
    Scenario("21. A source is read twice, and between it what no longer reads it") {
      let (source, own, home) = shared()
      let reading = Derived { own.value == 0 ? source.value : 0 }
      Threads.elsewhere { _ = reading.value }
      own.set(1)
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          {
            seen(
              Derived {
                let first = source.value
                return [first, reading.value + source.value]
              }.value)
          },
          {
            source.set(1)
            source.set(2)
          },
        ],
        violation: { unequal(seen.values) ?? stale([home.value], [2]) })
    },
    Scenario("22. A transaction sets two sources that another thread reads in a graph of its own") {
      let ((first, _, one), (second, _, two)) = (shared(), shared())
      let (both, seen) = (Derived { [first.value, second.value] }, Recorder<[Int]>())
      return Round(
        threads: [
          {
            transaction {
              first.set(1)
              second.set(1)
            }
          }, { for _ in 0..<2 { seen(both.value) } },
        ],
        violation: {
          unequal(seen.values) ?? stale(both.value + [one.value, two.value], [1, 1, 1, 1])
        })
    },
    Scenario("22. A transaction reads what another thread has computed from the source that it has set") {
      let (source, own, _) = shared()
      let (sum, seen) = (Derived { own.value + source.value }, Recorder<Int>())
      return Round(
        threads: [
          { _ = sum.value },
          {
            transaction {
              source.set(1)
              seen(sum.value)
            }
          },
        ],
        violation: { seen.values == [1] ? stale([sum.value], [1]) : "its own write was not seen: \(seen.values)" })
    },
    Scenario("18. What is observed in another graph is notified of both sets of a source") {
      let (source, own, _) = shared()
      let (sum, received) = (Derived { own.value + source.value }, Recorder<Int>())
      let tokens = Locked<[Subscription]>([])
      return Round(
        threads: [
          {
            let token = sum.observe(.initial) { received($0.new) }
            tokens.withLock { $0.append(token) }
          },
          {
            source.set(1)
            source.set(2)
          },
        ],
        violation: {
          received.values.last == 2 ? stale([sum.value], [2]) : "the last change was not notified: \(received.values)"
        })
    },
    Scenario("15. What reads a source in another graph is released while the source is set") {
      let (source, own, home) = shared()
      let canaries = Canaries()
      let released = Locked<Derived<Int>?>(
        {
          let canary = canaries.make()
          return Derived {
            canary.touch()
            return own.value + source.value
          }
        }())
      return Round(
        threads: [
          { _ = released.current?.value }, { released.current = nil },
          {
            source.set(1)
            source.set(2)
          },
        ],
        violation: { canaries.alive == 0 ? stale([source.value, home.value], [2, 2]) : "its closure is kept" })
    },
  ]

  /// A source whose graph is that of the thread that makes the round, and a value of its own for the thread that reads it.
  private static func shared() -> (source: Observed<Int>, own: Observed<Int>, home: Derived<Int>) {
    let (source, own) = (Observed(0), Observed(0))
    let home = Derived { source.value }
    _ = home.value
    return (source, own, home)
  }
  /// Reports a pair of values that one computation read at one time and that differ.
  private static func unequal(_ pairs: [[Int]]) -> String? {
    pairs.first { $0[0] != $0[1] }.map { "a mixture: \($0)" }
  }
  private static func stale(_ values: [Int], _ expected: [Int]) -> String? {
    values == expected ? nil : "stale: \(values)"
  }
}
#endif
