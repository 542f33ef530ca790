import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  21. A `Derived` value is glitch-free: it is never computed from a mixture of old and new inputs. It is recomputed at \
  most once per change of its inputs, and not at all while it is neither read nor observed; threads that read \
  simultaneously may each recompute it, and one result is kept. The handlers of an `Equatable` one are notified \
  only when it differs.
  """, .serialized)
struct GlitchFreeTests {
  @Test("a diamond")
  func aDiamond() {
    let source = Observed(1)
    let (twice, thrice, parity) = (
      Derived { source.value * 2 }, Derived { source.value * 3 }, Derived { source.value % 2 }
    )
    let seen = Recorder<[Int]>()
    let sum = Derived {
      let all = [source.value, twice.value, thrice.value, parity.value]
      seen(all)
      return all.reduce(0, +)
    }
    let (received, read) = (ChangeRecorder<Int>(), Recorder<Int>())
    let tokens = [
      source.observe { _ in read(sum.value) }, sum.observe { received($0) }, thrice.observe { _ in read(sum.value) },
    ]
    for value in 2...5 { source.set(value) }
    source.update { $0 += 1 }
    #expect(seen.values == (1...6).map { [$0, $0 * 2, $0 * 3, $0 % 2] }, "each once, and all of one moment")
    #expect(received.newValues == [12, 19, 24, 31, 36])
    #expect(received.isUnbroken(from: 7))
    #expect(read.values == [12, 12, 19, 19, 24, 24, 31, 31, 36, 36])
    withExtendedLifetime(tokens) {}
  }

  /// The first source is always written first, and never more than one ahead: so it is in every moment.
  @Test("a moment of two sources", arguments: [false, true])
  func aMomentOfTwoSources(isWatched: Bool) {
    for _ in 0..<20 {
      let (ahead, following, left, right) = (Observed(0), Observed(0), Observed(100), Observed(0))
      let throughOthers = (Derived { following.value }, Derived { ahead.value })
      let pair = Derived { [throughOthers.0.value, ahead.value] }
      let round = Derived { [ahead.value, throughOthers.0.value, throughOthers.1.value, following.value] }
      let total = Derived { left.value + right.value }
      let mixes = Recorder<[Int]>()
      let check: @Sendable ([Int]) -> Void = { numbers in
        let (first, second) = (numbers.max() ?? 0, numbers.min() ?? 0)
        if first - second > 1 || numbers.count == 2 && numbers[0] > numbers[1] { mixes(numbers) }
        if numbers.count == 4, numbers[0] != numbers[2] || numbers[1] != numbers[3] || numbers[1] > numbers[0] {
          mixes(numbers)
        }
      }
      let tokens =
        isWatched
        ? [pair.observe { check($0.new) }, round.observe { check($0.new) }, total.observe { mixes([$0.new]) }] : []
      Threads.together(3) { thread in
        for number in 1...100 {
          switch thread {
          case 0:
            ahead.set(number)
            following.set(number)
          case 1:
            transaction {
              left.update { $0 -= 1 }
              right.update { $0 += 1 }
            }
          default:
            check(pair.value)
            check(round.value)
            if total.value != 100 { mixes([total.value]) }
          }
        }
      }
      check(round.value)
      #expect(mixes.values == [])
      #expect(pair.value == [100, 100] && total.value == 100 && right.value == 100)
      withExtendedLifetime(tokens) {}
    }
  }

  /// The first value read decides whether the second is read, even if both change together and the second is derived.
  @Test("a guard protects", arguments: [false, true])
  func aGuardProtects(isWatched: Bool) {
    let (list, index) = (Observed([10, 20]), Observed(0))
    let outside = Recorder<Int>()
    let isInside = Derived { list.value.indices.contains(index.value) }
    let picked = Derived {
      let (all, index) = (list.value, index.value)
      if !all.indices.contains(index) { outside(index) }
      return all.indices.contains(index) ? all[index] : -99
    }
    let described = Derived { "\(picked.value)" }
    let shown = Derived { isInside.value ? described.value : "nothing" }
    let received = ChangeRecorder<String>()
    let token = isWatched ? shown.observe { received($0) } : nil
    let texts = Recorder<String>()
    func step(_ change: () -> Void) {
      change()
      texts(shown.value)
    }
    step {}
    step { index.set(1) }
    step { list.set([30]) }
    step { list.set([40, 50, 60]) }
    step { index.set(7) }
    step {
      transaction {
        list.set([])
        index.set(0)
      }
    }
    step { list.update { $0.append(70) } }
    #expect(texts.values == ["10", "20", "nothing", "50", "nothing", "nothing", "70"])
    #expect(outside.values == [], "computed after a guard that was closed")
    if isWatched { #expect(received.newValues == ["20", "nothing", "50", "nothing", "70"]) }
    withExtendedLifetime(token) {}
  }

  @Test("a branch not taken", arguments: [false, true])
  func aBranchNotTaken(isWatched: Bool) {
    let (flag, yes, no) = (Observed(true), Observed(1), Observed(-1))
    let (runs, received) = (Locked(0), ChangeRecorder<Int>())
    let chosen = Derived {
      runs.withLock { $0 += 1 }
      return flag.value ? yes.value : no.value
    }
    let token = isWatched ? chosen.observe { received($0) } : nil
    func runsFor(_ expected: Int, _ change: () -> Void) -> Int {
      let before = runs.current
      change()
      #expect(chosen.value == expected)
      return runs.current - before
    }
    _ = chosen.value
    #expect(runsFor(1) { no.set(-2) } == 0)
    #expect(runsFor(2) { yes.set(2) } == 1)
    #expect(runsFor(-2) { flag.set(false) } == 1)
    #expect(runsFor(-2) { yes.set(3) } == 0)
    #expect(runsFor(-3) { no.set(-3) } == 1)
    #expect(runsFor(3) { flag.set(true) } == 1)
    #expect(runsFor(3) { no.set(-4) } == 0)
    if isWatched { #expect(received.newValues == [2, -2, -3, 3]) }
    withExtendedLifetime(token) {}
  }

  @Test("what is untracked", arguments: [false, true])
  func whatIsUntracked(isWatched: Bool) {
    let (total, currency) = (Observed(1), Observed("CHF"))
    let (runs, received) = (Locked(0), ChangeRecorder<String>())
    let receipt = Derived {
      runs.withLock { $0 += 1 }
      return "\(total.value) \(untracked { currency.value })"
    }
    let token = isWatched ? receipt.observe { received($0) } : nil
    #expect(receipt.value == "1 CHF")
    currency.set("EUR")
    #expect(receipt.value == "1 CHF" && runs.current == 1)
    total.set(2)
    #expect(receipt.value == "2 EUR" && runs.current == 2)
    transaction {
      currency.set("USD")
      total.set(3)
    }
    #expect(receipt.value == "3 USD" && runs.current == 3)
    if isWatched { #expect(received.newValues == ["2 EUR", "3 USD"]) }
    withExtendedLifetime(token) {}
  }

  @Test("once a change")
  func onceAChange() {
    let (a, b) = (Observed(1), Observed(1))
    let runs = (0..<4).map { _ in Locked(0) }
    let counted = { @Sendable (index: Int) in runs[index].withLock { $0 += 1 } }
    let sum = Derived {
      counted(0)
      return a.value + b.value
    }
    let product = Derived {
      counted(1)
      return a.value * b.value
    }
    let isLarge = Derived {
      counted(2)
      return sum.value + product.value > 100
    }
    let text = Derived {
      counted(3)
      return isLarge.value ? "large \(sum.value)" : "small"
    }
    let tokens = [text.observe { _ in _ = sum.value }, sum.observe { _ in _ = text.value }, text.observe { _ in }]
    #expect(runs.map(\.current) == [1, 1, 1, 1])
    a.set(2)
    _ = text.value
    #expect(runs.map(\.current) == [2, 2, 2, 1], "what it read has not become another value")
    transaction {
      a.set(20)
      b.set(30)
      a.set(40)
    }
    _ = text.value
    #expect(runs.map(\.current) == [3, 3, 3, 2])
    a.set(40)
    #expect(runs[3].current == 2 && runs[2].current == 3)
    #expect(runs[0].current <= 4 && runs[1].current <= 4)
    withExtendedLifetime(tokens) {}
  }

  @Test("not at all while it is neither read nor observed")
  func notAtAllWhileUnobserved() {
    let (source, runs) = (Observed(0), Locked(0))
    let value = Derived {
      runs.withLock { $0 += 1 }
      return source.value
    }
    let next = Derived {
      runs.withLock { $0 += 100 }
      return value.value + 1
    }
    for number in 1...10 { source.set(number) }
    #expect(runs.current == 0)
    #expect(next.value == 11 && runs.current == 101)
    #expect(next.value == 11 && value.value == 10 && runs.current == 101, "kept")
    for number in 11...20 { source.set(number) }
    transaction { source.set(21) }
    #expect(runs.current == 101)
    #expect(value.value == 21 && runs.current == 102)
    #expect(next.value == 22 && runs.current == 202)
  }
}
