import Testing
import Tidings
import TidingsTesting

extension ValueCyclesTests {
  @Test("what was read in a cycle that another thread opens meanwhile is recomputed", arguments: [false, true])
  func openedMeanwhile(isWatched: Bool) {
    let (flag, source, later) = (Observed(false), Observed(1), Later<Int>())
    let (closed, opened, ended, rounds) = (Gate(), Gate(), Gate(), Locked(0))
    let a = Derived("opened a") { () -> Int in
      guard flag.value else { return source.value }
      let value = later.value
      let isFirst = rounds.withLock { rounds in
        rounds += 1
        return rounds == 1
      }
      if isFirst {
        closed.open()
        opened.wait()
      }
      return value
    }
    let (b, received) = (Derived("opened b") { a.value + 1 }, ChangeRecorder<Int>())
    later.bind(b)
    let token = isWatched ? b.observe { received($0) } : nil
    #expect(b.value == 2)
    Threads.start {
      flag.set(true)
      _ = a.value
      ended.open()
    }
    #expect(closed.wait())
    source.set(100)
    flag.set(false)
    #expect(a.value == 100)
    opened.open()
    #expect(ended.wait())
    #expect(b.value == 101)
    if isWatched { #expect(received.isUnbroken(from: 2) && received.newValues.last == 101) }
    withExtendedLifetime(token) {}
  }

  @Test("a transaction that is too deep is rejected as a whole")
  func inTransactionsNothingIsHalf() {
    let reports = Reports(about: ["debit", "credit"])
    let left = Observed(0, label: "debit", maximumDepth: 40)
    let right = Observed(0, label: "credit", maximumDepth: 40)
    let (sum, received) = (Derived { left.value + right.value }, ChangeRecorder<Int>())
    let tokens = [
      left.observe { change in
        if change.new < 200 {
          transaction {
            left.set(change.new + 1)
            right.set(-change.new - 1)
          }
        }
      },
      sum.observe { received($0) },
    ]
    transaction {
      left.set(1)
      right.set(-1)
    }
    #expect(received.changes.isEmpty, "a rejected transaction is rejected as a whole")
    #expect((30...41).contains(left.value) && left.value == -right.value)
    #expect(!reports.labels.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  @Test("a value that has rejected a change takes those up to 16 deep, until something that no handler causes sets it")
  func takesShortChains() {
    let (steps, value) = (Event<Int>(), Observed(0, maximumDepth: 40))
    let tokens = [
      steps.observe { if $0 > 1 { steps.emit($0 - 1) } else { value.set(1_000) } },
      value.observe { change in if change.new < 200 { value.set(change.new + 1) } },
    ]
    func isTaken(depth: Int) -> Bool {
      steps.emit(depth)
      return value.value == 1_000
    }
    value.set(1)
    #expect((30...41).contains(value.value))
    #expect(!isTaken(depth: 20))
    #expect(isTaken(depth: 10))
    value.set(500)
    #expect(isTaken(depth: 20))
    withExtendedLifetime(tokens) {}
  }
}
