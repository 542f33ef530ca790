#if TIDINGS_EXPLORED
import Tidings
import TidingsTesting

extension Scenario {
  /// Older versions that are kept for threads which compute, or are about to, in another graph.
  static let keptCopies: [Scenario] = [
    Scenario("15. Two threads set sources of two graphs, and no older version outlives that") {
      let (canaries, received) = (Canaries(), Recorder<Int>())
      let sources = (0..<2).map { _ in Observed(canaries.make()) }
      let tokens = sources.flatMap { source in
        let copy = Derived { [weak source] in
          source?.value.touch()
          return 0
        }
        return [source.observe { _ in received(1) }, copy.observe { _ in }]
      }
      return Round(
        threads: sources.map { source in { source.set(canaries.make()) } },
        violation: {
          defer { withExtendedLifetime(tokens) {} }
          return canaries.alive == 2 ? nil : "\(canaries.alive - 2) older versions are kept"
        })
    },
    Scenario("15. A thread computes in one graph while a source of another is set, and no older version outlives that")
    {
      let canaries = Canaries()
      let (source, other) = (Observed(canaries.make()), Observed(0))
      let (copy, twice) = (Derived { source.value }, Derived { other.value * 2 })
      _ = (copy.value, twice.value)
      return Round(
        threads: [
          { for _ in 0..<2 { source.set(canaries.make()) } },
          {
            other.set(1)
            _ = twice.value
          },
        ],
        violation: {
          _ = copy.value
          return canaries.alive == 1 ? nil : "\(canaries.alive - 1) older versions are kept"
        })
    },
    Scenario("15. A derived value is notified beside commits of another graph, and no older version outlives that") {
      let canaries = Canaries()
      let (source, other) = (Observed(canaries.make()), Observed(0))
      let (copy, twice) = (Derived { source.value }, Derived { other.value * 2 })
      let tokens = [copy.observe { _ in }, twice.observe { _ in }]
      return Round(
        threads: [{ source.set(canaries.make()) }, { for number in 1...2 { other.set(number) } }],
        violation: {
          defer { withExtendedLifetime(tokens) {} }
          return canaries.alive == 1 ? nil : "\(canaries.alive - 1) older versions are kept"
        })
    },
  ]
}
#endif
