import Testing

@testable import ValueEngine

extension ValueEngineTests {
  @Suite struct ComparisonTests {
    /// Its `==` reads a value of the engine.
    private struct Reading: Equatable {
      let number: Int
      let limit: Source<Int>
      static func == (one: Reading, other: Reading) -> Bool {
        one.number == other.number || max(one.number, other.number) < one.limit.value
      }
    }
    @Test func whatAComparisonReadsIsNoDependency() {
      let (x, limit) = (Source(1), Source(10))
      let runs = Counter()
      let read = Computed {
        runs.add()
        return Reading(number: x.value, limit: limit)
      }
      #expect(read.value.number == 1)
      x.set(2)
      let outerRuns = Counter()
      let outer = Computed {
        outerRuns.add()
        return read.value.number
      }
      // Equal by the limit: the version stays. The comparison runs within the computation of the outer value.
      #expect(outer.value == 1 && runs.value == 2)
      limit.set(0)
      #expect(outer.value == 1 && runs.value == 2 && outerRuns.value == 1)
      x.set(3)
      #expect(outer.value == 3 && runs.value == 3 && outerRuns.value == 2)
    }
  }
}
