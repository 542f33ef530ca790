import Testing
import Tidings
import TidingsTesting

/// Tests sentences 5, 10 and 20: the work that one call does for other threads is bounded.
@Suite("Bounds on what other threads cause")
struct BoundsTests {
  @Test(
    "A set returns after delivering 1,024 changes of a derived value that another thread causes; a task continues in order"
  )
  func aSetDeliversForOthersForARound() async {
    let (source, received, writer, inPlace) = (Observed(0), ChangeRecorder<Int>(), Writer(), Locked(0))
    let (here, last) = (Writer.thread, 4_000)
    // Each time it is computed another thread sets what it has read.
    let derived = Derived { () -> Int in
      let value = source.value
      if (1..<last).contains(value) { writer.run { source.set(value + 1) } }
      return value
    }
    let token = derived.observe { change in
      received(change)
      if Writer.thread == here { inPlace.withLock { $0 += 1 } }
    }
    source.set(1)
    #expect((1_000...1_030).contains(inPlace.current))
    #expect(await received.ends(with: last))
    #expect(received.isUnbroken(from: 0) && received.newValues == Array(1...last))
    source.set(-1)
    #expect(await received.ends(with: -1))
    token.cancel()
  }
}

extension BoundsTests {
  /// How a value is written that depends on what it was.
  enum Write: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case update, transaction, nested
    var testDescription: String { rawValue }

    func apply(to value: Observed<Int>, _ body: @escaping @Sendable (inout Int) -> Void) {
      switch self {
      case .update: value.update { body(&$0) }
      case .transaction: Tidings.transaction { value.update { body(&$0) } }
      case .nested:
        let outer = Observed(0)
        outer.update {
          value.update { body(&$0) }
          $0 += 1
        }
      }
    }
  }

  /// Lets another thread write the value while its writer looks, and gives that up when it does not get through.
  private func overtake(_ value: Observed<Int>, _ writer: Writer, _ runs: Locked<Int>) {
    let run = runs.withLock {
      $0 += 1
      return $0
    }
    if run < 60 { writer.tryToRun { value.set(run) } }
  }

  @Test("An update that other threads overtake runs a few times, then they wait for it", arguments: Write.allCases)
  func anUpdateTakesItsTurn(_ write: Write) {
    let (value, runs, writer) = (Observed(0), Locked(0), Writer())
    write.apply(to: value) { number in
      overtake(value, writer, runs)
      number = 1_000
    }
    #expect((1...20).contains(runs.current))
  }

  @Test("A set that a policy compares runs a few times when other threads overtake it, then they wait for it")
  func aComparedSetTakesItsTurn() {
    let (known, runs, writer) = (Locked<Observed<Int>?>(nil), Locked(0), Writer())
    let value = Observed(
      0,
      changes: .by { _, new in
        if new == 1_000, let value = known.current { overtake(value, writer, runs) }
        return false
      })
    known.withLock { $0 = value }
    value.set(1_000)
    #expect((1...20).contains(runs.current))
    known.withLock { $0 = nil }
  }

  @Test("Two updates that nest crosswise on two threads both end, and so do those that set each other's value")
  func crosswiseUpdatesEnd() {
    let (left, right, done) = (Observed(0), Observed(0), Locked(0))
    Threads.together(4) { thread in
      let (outer, inner) = thread % 2 == 0 ? (left, right) : (right, left)
      for round in 0..<100 {
        outer.update {
          if thread < 2 { inner.update { $0 += 1 } } else { inner.set(round) }
          $0 += 1
        }
      }
      done.withLock { $0 += 1 }
    }
    #expect(done.current == 4)
  }

  @Test("An update whose closure waits for another thread that writes the value is delayed, not blocked")
  func aClosureThatWaitsForAWriterIsNotBlocked() {
    let (value, runs, writer) = (Observed(0), Locked(0), Writer())
    value.update { number in
      let run = runs.withLock {
        $0 += 1
        return $0
      }
      if run < 10 { writer.run { value.set(run) } }
      number += 100
    }
    #expect(runs.current == 10 && value.value == 109)
  }

  @Test("An update whose closure writes its own value is stopped and reported; what the closure wrote stays")
  func anUpdateThatWritesItsOwnValueIsRejected() {
    let reports = Reports(about: ["own"])
    let (value, runs, received) = (Observed(0, label: "own"), Locked(0), ChangeRecorder<Int>())
    let token = value.observe { received($0) }
    for isTransaction in [false, true] {
      runs.withLock { $0 = 0 }
      let result = value.update { number in
        let run = runs.withLock {
          $0 += 1
          return $0
        }
        if run < 30_000 { if isTransaction { transaction { value.set(run) } } else { value.set(run) } }
        number = -1
        return run
      }
      #expect((2...20).contains(runs.current) && result == runs.current)
      #expect(value.value == result && received.newValues.last == result && received.isUnbroken(from: 0))
    }
    #expect(reports.labels == [["own"], ["own"]])
    // In a transaction its result replaces what it has written.
    transaction {
      value.update { number in
        value.set(3)
        number = 4
      }
    }
    #expect(value.value == 4)
    token.cancel()
  }
}
