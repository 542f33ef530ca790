import Testing
import Tidings
import TidingsTesting

extension ValueCyclesTests {
  @Test("a derived value that comes to read itself keeps its value", arguments: [false, true])
  func keepsItsValue(isWatched: Bool) {
    let (flag, source, own, received) = (
      Observed(false), Observed(1), Locked<Derived<Int>?>(nil), ChangeRecorder<Int>()
    )
    let value = Derived("selfish") { flag.value ? (own.current?.value ?? -1) + 1 : source.value }
    own.current = value
    let token = isWatched ? value.observe { received($0) } : nil
    #expect(value.value == 1)
    flag.set(true)
    #expect(value.value == 1, "it keeps its value")
    source.set(2)
    #expect(value.value == 1)
    flag.set(false)
    #expect(value.value == 2)
    if isWatched { #expect(received.changes == [.from(1, to: 2)]) }
    withExtendedLifetime(token) {}
  }

  @Test("and so do two that read each other", arguments: [false, true])
  func twoKeepTheirValues(isWatched: Bool) {
    let (flag, source, later) = (Observed(false), Observed(1), Locked<Derived<Int>?>(nil))
    let a = Derived("a") { flag.value ? later.current?.value ?? -1 : source.value }
    let b = Derived("b") { a.value + 10 }
    later.current = b
    let (receivedA, receivedB) = (ChangeRecorder<Int>(), ChangeRecorder<Int>())
    let tokens = isWatched ? [a.observe { receivedA($0) }, b.observe { receivedB($0) }] : []
    #expect(a.value == 1 && b.value == 11)
    flag.set(true)
    #expect(a.value == 1 && b.value == 11)
    source.set(2)
    #expect(a.value == 1 && b.value == 11)
    flag.set(false)
    #expect(a.value == 2 && b.value == 12)
    if isWatched { #expect(receivedA.changes == [.from(1, to: 2)] && receivedB.changes == [.from(11, to: 12)]) }
    withExtendedLifetime(tokens) {}
  }

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

  @Test("a write that is rejected in a cycle through an actor is not made")
  func whatIsRejectedIsNotWritten() async {
    for _ in 0..<100 {
      let reported = Recorder<Bool>()
      let reports = Diagnostics.reports.observe { if $0.labels.contains("remote 5") { reported(true) } }
      let (value, listener, received) = (
        Observed(0, label: "remote 5", maximumDepth: 40), Listener(), ChangeRecorder<Int>()
      )
      value.observe(with: listener) { _, change in
        received(change)
        if change.new < 200 { value.set(change.new + 1, isolation: nil) }
      }
      value.set(1)
      _ = await reported.values(atLeast: 1)
      await listener.run { _ in }
      #expect(await received.ends(with: value.value))
      reports.cancel()
    }
  }
}
