#if os(Linux) || os(macOS)
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// Tests that observe all reports, or would take all memory, run in a process of their own.
@Suite("Cycles that were rejected")
struct RejectedCyclesTests {
  @Test("A cycle of handlers keeps to its limit where a handler observes `willChange`")
  func handlersAndWillChange() {
    let (source, rounds) = (Observed(0, maximumDepth: 40), Tally())
    let tokens = [
      source.willChange.observe { _ in },
      Derived { source.value }.observe { change in
        rounds.add(1)
        if rounds.total < 30_000 { source.set(change.new + 1) }
      },
    ]
    source.set(1)
    #expect((30..<100).contains(rounds.total))
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "A report whose observer causes it again is not notified for ever where a handler observes `willChange`")
  func reportsAndWillChange() async {
    await #expect(processExitsWith: .success) {
      let (rounds, value, forbidden) = (Tally(), Observed(0), Observed(0, label: "forbidden"))
      let derived = Derived { () -> Int in
        forbidden.set(1)
        rounds.add(1)
        return value.value
      }
      let tokens = [
        value.willChange.observe { _ in },
        Diagnostics.reports.observe { report in
          if report.labels.last == "forbidden", rounds.total < 30_000 { value.update { $0 += 1 } }
        },
        derived.observe { _ in },
      ]
      for _ in 0..<3 { value.update { $0 += 1 } }
      #expect((3..<200).contains(rounds.total))
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("After a report whose observer sets a value, an unrelated cycle is notified like any other")
  func reportAfterAReport() async {
    await #expect(processExitsWith: .success) {
      let (answer, notified) = (Observed(0), Recorder<String>())
      let answered = Derived { answer.value }
      let (source, forbidden) = (Observed(0, label: "cycle", maximumDepth: 50), Observed(0, label: "no closure's"))
      let illegal = Derived { () -> Int in
        forbidden.set(1)
        return source.value
      }
      let tokens = [
        answered.observe { _ in },
        Diagnostics.reports.observe { report in
          notified(report.labels.last ?? "")
          if report.labels.last == "no closure's" { answer.update { $0 += 1 } }
        },
        Derived { source.value }.observe { change in
          _ = illegal.value
          if change.new < 1000 { source.set(change.new + 1) }
        },
      ]
      source.set(1)
      #expect(notified.values.contains("cycle"))
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("A limit of few steps stays one when it has been reached")
  func smallLimit() {
    let (steps, limited) = (Event<Int>(), Observed(0, maximumDepth: 3))
    let token = steps.observe {
      if $0 < 8 {
        steps.emit($0 + 1)
      } else {
        limited.set(1)
        limited.set(2)
      }
    }
    steps.emit(1)
    #expect(limited.value == 0)
    token.cancel()
  }

  @Test(
    "A cycle through the destruction of two values, which doubles at each step, is stopped before it takes all memory")
  func doubling() async {
    await #expect(processExitsWith: .success) {
      let (source, rounds) = (Observed(0, maximumDepth: 200), Tally())
      func replaced() -> Derived<DeinitCallback> {
        Derived { () -> DeinitCallback in
          _ = source.value
          rounds.add(1)
          return DeinitCallback { if rounds.total < 1_000_000 { source.update { $0 += 1 } } }
        }
      }
      let (one, two) = (replaced(), replaced())
      let token = Derived {
        one.value.touch()
        two.value.touch()
        return source.value
      }.observe { _ in }
      source.set(1)
      #expect(rounds.total < 600_000)
      rounds.add(1_000_000)
      token.cancel()
    }
  }

  @Test("A local event that has rejected a cycle delivers the next chain")
  func localAgain() {
    let (steps, received) = (LocalEvent<Int>(), Tally())
    let local = LocalEvent<Int>(maximumDepth: 30)
    let tokens = [
      steps.observe { if $0 > 0 { steps.emit($0 - 1) } else { local.emit(1) } },
      local.observe { if $0 == 1 { local.emit(2) } else { received.add(1) } },
    ]
    steps.emit(40)
    #expect(received.total == 0)
    steps.emit(20)
    #expect(received.total == 1)
    withExtendedLifetime(tokens) {}
  }
}
#endif
