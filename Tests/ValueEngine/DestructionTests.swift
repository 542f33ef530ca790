import Testing

@testable import ValueEngine

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
