import Foundation
import Synchronization
import Testing

@testable import ValueEngine

private struct Long: Equatable {
  var a = 0, b = 0, c = 0, d = 0
}
private struct Huge: Equatable {
  var words = (0, 0, 0, 0, 0)
  static func == (one: Huge, other: Huge) -> Bool { one.words == other.words }
}

extension ValueEngineTests {
  @Suite struct ValueTests {
    @Test func aSourceHasTheValueThatWasSet() {
      let number = Source(1)
      number.set(2)
      #expect(number.value == 2)
      let text = Source("a")
      text.set("b")
      #expect(text.value == "b")
      let flag = Source(false)
      flag.set(true)
      #expect(flag.value)
      let long = Source(Long())
      long.set(Long(a: 1, b: 2, c: 3, d: 4))
      #expect(long.value == Long(a: 1, b: 2, c: 3, d: 4))
      let huge = Source(Huge())
      huge.set(Huge(words: (1, 2, 3, 4, 5)))
      #expect(huge.value == Huge(words: (1, 2, 3, 4, 5)))
      let none = Source<Int?>(nil)
      none.set(3)
      #expect(none.value == 3)
    }
    @Test func aComputedValueFollowsWhatItReads() {
      let (x, y) = (Source(1), Source("a"))
      let sum = Computed { x.value + 1 }
      let text = Computed { y.value + String(sum.value) }
      let long = Computed { Long(a: sum.value, d: x.value) }
      #expect(text.value == "a2")
      x.set(5)
      #expect(text.value == "a6")
      y.set("b")
      #expect(text.value == "b6")
      #expect(long.value == Long(a: 6, d: 5))
    }
    @Test func aClosureRunsOnceForAChangeAndNotWithoutOne() {
      let x = Source(1)
      let runs = Counter()
      let double = Computed {
        runs.add()
        return x.value * 2
      }
      let total = Computed { double.value + double.value }
      #expect(total.value == 4 && total.value == 4 && runs.value == 1)
      x.set(2)
      #expect(total.value == 8 && runs.value == 2)
    }
    @Test func anEqualResultDoesNotRunWhatReadsIt() {
      let x = Source(1)
      let runs = Counter()
      let isOdd = Computed { x.value % 2 == 1 }
      let name = Computed {
        runs.add()
        return isOdd.value ? "odd" : "even"
      }
      #expect(name.value == "odd")
      x.set(3)
      #expect(name.value == "odd" && runs.value == 1)
      x.set(4)
      #expect(name.value == "even" && runs.value == 2)
    }
    @Test func dependenciesAreThoseOfTheLastComputation() {
      let (choice, x, y) = (Source(true), Source(1), Source(10))
      let runs = Counter()
      let chosen = Computed {
        runs.add()
        return choice.value ? x.value : y.value
      }
      #expect(chosen.value == 1)
      y.set(11)
      #expect(chosen.value == 1 && runs.value == 1)
      choice.set(false)
      #expect(chosen.value == 11)
      x.set(2)
      #expect(chosen.value == 11 && runs.value == 2)
      y.set(12)
      #expect(chosen.value == 12)
    }
    @Test func aValueThatTwoCommitsFindStaleIsRightWhenItIsReadAgain() {
      let (x, y) = (Source(1), Source(1))
      let inner = Computed { x.value + y.value }
      let outer = Computed { inner.value * 2 }
      #expect(outer.value == 4)
      for number in 2..<6 {
        x.set(number)
        x.set(number + 1)
        y.set(number)
        #expect(outer.value == (2 * number + 1) * 2)
      }
    }
    @Test func anUpdateAppliesToTheNewestValue() async {
      let x = Source(0)
      let text = Source([Int]())
      await together(4) { index in
        for round in 0..<1_000 {
          x.update { $0 += 1 }
          if round % 100 == 0 { text.update { $0.append(index) } }
        }
      }
      #expect(x.value == 4_000)
      #expect(text.value.sorted() == (0..<40).map { $0 / 10 })
    }
    @Test func aComputationThatIsEqualByItsOwnRuleKeepsTheVersion() {
      let x = Source(1.0)
      let runs = Counter()
      let rounded = Computed { x.value.rounded() }
      let reader = Computed {
        runs.add()
        return rounded.value
      }
      #expect(reader.value == 1)
      x.set(1.2)
      #expect(reader.value == 1 && runs.value == 1)
      x.set(.nan)
      #expect(reader.value.isNaN)
      x.set(-.nan)
      // Not a number differs from itself.
      #expect(reader.value.isNaN && runs.value == 3)
    }
    @Test func aLongChainIsValidatedWithoutAStack() {
      let x = Source(0)
      var last = Computed { x.value % 2 }
      var all = [last]
      for _ in 0..<2_000 {
        let below = last
        last = Computed { below.value }
        all.append(last)
        _ = last.value
      }
      x.set(2)
      #expect(last.value == 0)
      x.set(3)
      #expect(last.value == 1)
    }
  }
}

extension ValueEngineTests {
  @Suite struct DestructionTests {
    @Test func aReplacedValueIsDestroyedAtOnce() {
      let live = Counter()
      let x = Source(Counted(1, live))
      x.set(Counted(2, live))
      #expect(live.value == 1 && x.value.number == 2)
      let copy = Computed { Counted(x.value.number * 2, live) }
      #expect(copy.value.number == 4)
      #expect(live.value == 2)
      x.set(Counted(3, live))
      #expect(copy.value.number == 6)
      #expect(live.value == 2)
    }
    @Test func aDroppedValueDestroysWhatItHolds() {
      let live = Counter()
      do {
        let x = Source(Counted(1, live))
        let captured = Counted(5, live)
        let sum = Computed { Counted(x.value.number + captured.number, live) }
        #expect(sum.value.number == 6 && live.value == 3)
      }
      #expect(live.value == 0)
    }
    @Test func aDeinitReadsAndWritesValues() {
      final class Writer: Sendable {
        let (target, source): (Source<Int>, Source<Int>)
        init(_ target: Source<Int>, _ source: Source<Int>) { (self.target, self.source) = (target, source) }
        deinit { target.set(source.value) }
      }
      let (target, source) = (Source(0), Source(1))
      let holder = Source<Writer?>(Writer(target, source))
      let sum = Computed { target.value + source.value }
      #expect(sum.value == 1)
      source.set(7)
      holder.set(nil)
      #expect(target.value == 7 && sum.value == 14)
    }
    @Test func aLongChainOfValuesIsDestroyedWithoutAStack() {
      let live = Counter()
      do {
        let x = Source(0)
        var last = Computed { x.value }
        for _ in 0..<20_000 {
          let (below, counted) = (last, Counted(1, live))
          last = Computed { below.value + counted.number }
          _ = last.value
        }
        #expect(last.value == 20_000 && live.value == 20_000)
      }
      #expect(live.value == 0)
    }
    @Test func aReplacedResultIsKeptForAPinThatMayBeReadingIt() async {
      let (live, steps, findings) = (Counter(), Steps(), Findings())
      let x = Source(1)
      let copy = Computed { Counted(x.value, live) }
      await together(2) { index in
        if index == 0 {
          let reader = Computed {
            let number = copy.value.number
            steps.make()
            steps.wait(for: 2)
            return number
          }
          findings.check(reader.value == 1, "the reader sees the value of its snapshot")
          steps.make()
        } else {
          steps.wait(for: 1)
          x.set(2)
          findings.check(copy.value.number == 2 && live.value == 2, "the earlier result is kept")
          steps.make()
          steps.wait(for: 3)
          findings.check(live.value == 1, "it is destroyed by the end of the pin")
        }
      }
      #expect(findings.all == [])
    }
    @Test func aResultThatWasConfirmedIsKeptForAPinFromBefore() async {
      let (live, steps, findings) = (Counter(), Steps(), Findings())
      let (x, y) = (Source(1), Source(1))
      let isPositive = Computed { y.value > 0 }
      let copy = Computed { isPositive.value ? Counted(x.value, live) : Counted(0, live) }
      #expect(copy.value.number == 1)
      await together(2) { index in
        if index == 0 {
          let reader = Computed {
            let number = copy.value.number
            steps.make()
            steps.wait(for: 2)
            return number
          }
          findings.check(reader.value == 1, "the reader sees the value of its snapshot")
        } else {
          steps.wait(for: 1)
          // Confirmed at a later epoch than that of the reader, and replaced at a still later one.
          y.set(2)
          findings.check(copy.value.number == 1, "the version stays")
          x.set(2)
          findings.check(copy.value.number == 2 && live.value == 2, "the earlier result is kept")
          steps.make()
        }
      }
      #expect(findings.all == [])
    }
    @Test func aDroppedValueIsKeptForAPinThatMayBeComputingIt() async {
      let (live, steps, findings) = (Counter(), Steps(), Findings())
      let holder = Holder()
      await together(2) { index in
        if index == 0 {
          let captured = Counted(1, live)
          holder.value = Computed { captured.number }
          findings.check(holder.value?.value == 1, "the first thread has computed it")
        }
        if index == 0 {
          let other = Computed {
            steps.make()
            steps.wait(for: 2)
            return 1
          }
          findings.check(other.value == 1, "another value is computed meanwhile")
          steps.make()
        } else {
          steps.wait(for: 1)
          holder.value = nil
          findings.check(live.value == 1, "what it captures is kept")
          steps.make()
          steps.wait(for: 3)
          findings.check(live.value == 0, "it is destroyed by the end of the pin")
        }
      }
      #expect(findings.all == [])
    }
    private final class Holder: @unchecked Sendable {  // the steps order what the threads do
      var value: Computed<Int>?
    }
    @Test func valuesThatThreadsReplaceAndReadAreDestroyedOnce() async {
      let live = Counter()
      do {
        let x = Source(Counted(0, live))
        let copy = Computed { Counted(x.value.number, live) }
        await together(4) { index in
          for round in 0..<2_000 {
            if index < 2 { x.set(Counted(round, live)) } else { _ = copy.value.number + x.value.number }
          }
        }
        #expect(copy.value.number == 1_999)
      }
      // The threads have finished, but may still be releasing their closures, which have the values.
      await together(1) { _ in collect(until: { live.value <= 0 }) }
      #expect(live.value == 0)
    }
  }
}

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
