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
