import Testing
import Tidings
import TidingsTesting

/// Tests sentence 22: what an update sees and does when it is applied again.
@Suite("Updates that are applied again")
struct AppliedAgainTests {
  /// How the update comes to be applied again.
  enum Moment: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case atTheEnd, whenADerivedIsRead
    var testDescription: String { rawValue }
  }

  /// A transaction that has updated `value`, which another thread moves before the moment comes.
  private func appliedAgain(
    _ moment: Moment, _ value: Observed<Int>, _ body: () -> Void, read: @escaping () -> Int = { 0 }
  ) {
    let derived = Derived { value.value }
    transaction {
      body()
      Threads.elsewhere { value.set(1) }
      if moment == .whenADerivedIsRead { #expect(derived.value == read()) }
    }
  }

  @Test("An update that is applied again reads what the transaction has written", arguments: Moment.allCases)
  func itReadsWhatTheTransactionHasWritten(_ moment: Moment) {
    let (x, b) = (Observed(0), Observed(0))
    let twice = Derived { b.value * 2 }
    appliedAgain(moment, x) {
      b.set(100)
      x.update { $0 += b.value + twice.value }
    } read: {
      301
    }
    #expect(x.value == 301 && b.value == 100)
  }

  @Test("A value that an update sets when it is applied again is part of the commit", arguments: Moment.allCases)
  func whatItSetsIsPartOfTheCommit(_ moment: Moment) {
    let (x, log) = (Observed(0), Observed([0]))
    let (received, early) = (ChangeRecorder<[Int]>(), Recorder<[Int]>())
    let both = Derived { [x.value, log.value.last!] }
    let tokens = [log.observe { received($0) }, both.observe { received($0) }]
    appliedAgain(moment, x) {
      x.update { value in
        Threads.elsewhere { early(log.value) }
        value += 10
        let seen = value
        log.update { $0.append(seen) }
        transaction { log.update { $0[0] += 1 } }
      }
    } read: {
      11
    }
    #expect(x.value == 11 && log.value == [2, 10, 11])
    #expect(early.values == [[0], [0]], "nothing is committed before the transaction ends")
    #expect(received.newValues == [[1, 0], [2, 10, 11], [11, 11]])
    withExtendedLifetime(tokens) {}
  }

  @Test("An update that is applied again finds in its value what the updates before it made of the new one")
  func itFindsWhatUpdatesBeforeItMade() {
    let (x, seen) = (Observed(0), Recorder<[Int]>())
    let same = Derived { x.value }
    transaction {
      x.update { $0 += 10 }
      x.update { value in
        seen([value, x.value, same.value])
        value *= 2
      }
      Threads.elsewhere { x.set(1) }
    }
    #expect(seen.values == [[10, 10, 10], [11, 11, 11]])
    #expect(x.value == 22)
  }

  @Test("An error that an update throws is thrown though an update that is applied again later writes the same value")
  func laterWritesKeepTheError() {
    let (x, log) = (Observed(0), Observed([0]))
    #expect(throws: Oops(value: 1)) {
      try transaction { () throws(Oops) in
        try log.update { value throws(Oops) in if value.count > 1 { throw Oops(value: 1) } }
        x.update { value in
          let seen = value
          log.update { $0.append(seen) }
        }
        Threads.elsewhere {
          transaction {
            x.set(1)
            log.update { $0.append(7) }
          }
        }
      }
    }
    #expect(x.value == 1 && log.value == [0, 7])
  }

  @Test("An error that an update throws when a derived value is read is thrown at the end of the transaction")
  func whatItThrowsEarlierIsThrownAtTheEnd() {
    let (x, other) = (Observed(0), Observed(0))
    let same = Derived { x.value }
    #expect(throws: Oops(value: 1)) {
      try transaction { () throws(Oops) in
        other.set(5)
        try x.update { value throws(Oops) in
          if value == 1 { throw Oops(value: value) }
          value += 1
        }
        Threads.elsewhere { x.set(1) }
        #expect(same.value == 1)
      }
    }
    #expect(x.value == 1 && other.value == 0)
  }

  @Test("A policy that writes while it compares takes part in the commit")
  func aPolicyThatWrites() {
    let counted = Observed(0)
    let x = Observed(
      0,
      changes: .by { old, new in
        counted.update { $0 += 1 }
        return old == new
      })
    transaction { x.set(1) }
    #expect(x.value == 1 && counted.value == 1)
    transaction { x.set(1) }
    #expect(x.value == 1 && counted.value == 2)
  }

  @Test("A derived value that is read in a transaction never mixes updates with older values, among threads")
  func neverAMix() {
    let (left, right, mixes) = (Observed(0), Observed(0), Recorder<[Int]>())
    let both = Derived { [left.value, right.value] }
    Threads.together(3) { _ in
      for _ in 0..<200 {
        transaction {
          left.update { $0 += 1 }
          right.update { $0 += 1 }
          let seen = both.value
          if seen[0] != seen[1] { mixes(seen) }
        }
      }
    }
    #expect(mixes.values == [] && left.value == 600 && right.value == 600)
  }
}
