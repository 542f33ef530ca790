import Testing
import Tidings
import TidingsTesting

@Suite("Reports", .timeLimit(.minutes(20)))
struct ReportsTests {
  // Reports of cycles in other tests are emitted on the same event. Another thread may be delivering, and then delivers these
  // reports too. Or this thread delivers the others, whose labels then begin with what runs here.

  @Test("An event without a label is reported by where it was made")
  func unnamedReports() async {
    let (reports, notified) = (Recorder<Diagnostics.Report>(), Gate())
    let line: UInt = #line
    let event = Event<Int>(maximumDepth: 10)
    let token = Diagnostics.reports.observe { report in
      guard report.labels.last?.contains("ReportsTests.swift:\(line + 1)") == true else { return }
      reports(report)
      notified.open()
    }
    let cycle = event.observe { if $0 < 100 { event.emit($0 + 1) } }
    event.emit(0)
    #expect(await eventually { notified.isOpen })
    #expect(reports.values.count == 1 && reports.values.first?.description == reports.values.first?.message)
    cycle.cancel()
    token.cancel()
  }

  @Test("A handler of a report may emit")
  func reportsMayBeAnswered() async {
    let (answers, count, answered) = (Event<Int>("answers"), Locked(0), Gate())
    let token = Diagnostics.reports.observe { report in
      if report.labels.last == "asked" { answers.emit(1) }
    }
    let answer = answers.observe { _ in
      count.withLock { $0 += 1 }
      answered.open()
    }
    let event = Event<Int>("asked", maximumDepth: 10)
    let cycle = event.observe { if $0 < 100 { event.emit($0 + 1) } }
    event.emit(0)
    #expect(await eventually { answered.isOpen })
    #expect(count.current == 1)
    withExtendedLifetime((token, answer, cycle)) {}
  }

  @Test("However deep a cycle was, its report is delivered, also when another thread is delivering one")
  func whileAnotherIsDelivered() async {
    let (entered, proceed, notified) = (Gate(), Gate(), Recorder<String>())
    let token = Diagnostics.reports.observe { report in
      switch report.labels.last {
      case "held up":
        entered.open()
        proceed.wait()
      case "after it": notified(report.message)
      default: break
      }
    }
    Threads.start { cycle("held up", depth: 5) }
    // No turn is given away while reports are held up: others wait for them on the threads that run tasks.
    #expect(entered.wait())
    cycle("after it")
    proceed.open()
    #expect(await notified.values(atLeast: 1).count == 1)
    token.cancel()
  }

  @Test("A handler of a report may set and emit however deep the cycle was, also to what is being delivered")
  func answersADeepOne() async {
    let (busy, value, received) = (Event<Int>("busy"), Observed("", label: "message"), Recorder<Int>())
    let echo = Derived { value.value.count }
    let notified = Recorder<Int>()
    let tokens = [
      Diagnostics.reports.observe { report in
        guard report.labels.last == "deep" else { return }
        value.set(report.message)
        busy.emit(2)
      },
      busy.observe { number in
        received(number)
        if number == 1 { cycle("deep") }
      },
      echo.observe { notified($0.new) },
    ]
    busy.emit(1)
    #expect(await received.values(atLeast: 2) == [1, 2])
    #expect(value.value.contains("deep") && notified.values == [value.value.count])
    withExtendedLifetime(tokens) {}
  }

  /// The action of an observer of reports, repeated forever if the library lets it.
  enum Answer: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case emits, sets, emitsToAnActor, setsWhatAClosureReads, setsWhatAHandlerReads
    var testDescription: String { rawValue }
  }

  @Test(
    "A handler that answers a report with what causes the next is stopped, and not notified for ever",
    arguments: Answer.allCases)
  func answersForEver(_ answer: Answer) async {
    let rounds = Locked(0)
    let label = "answered " + answer.rawValue
    let event = Event<Int>("asks for \(answer)")
    let (value, forbidden) = (Observed(0), Observed(0, label: label))
    let again: @Sendable () -> Void = {
      rounds.withLock { $0 += 1 }
      if rounds.current < most { cycle(label, depth: 5) }
    }
    let tokens: [Subscription]
    switch answer {
    case .emits: tokens = [event.observe { _ in again() }]
    case .emitsToAnActor: tokens = [event.observe { @MainActor _ in again() }]
    case .sets: tokens = [value.observe { _ in again() }]
    case .setsWhatAClosureReads:
      let derived = Derived { () -> Int in
        forbidden.set(1)
        rounds.withLock { $0 += 1 }
        return value.value
      }
      tokens = [derived.observe { _ in }]
    case .setsWhatAHandlerReads:
      let derived = Derived { () -> Int in
        forbidden.set(1)
        return value.value
      }
      let token = Derived { value.value }.observe { _ in
        rounds.withLock { $0 += 1 }
        _ = derived.value
      }
      tokens = [token]
    }
    let answered = Gate()
    let token = Diagnostics.reports.observe { report in
      guard report.labels.last == label, rounds.current < most else { return }
      switch answer {
      case .emits, .emitsToAnActor: event.emit(1)
      case .sets, .setsWhatAClosureReads, .setsWhatAHandlerReads: value.update { $0 += 1 }
      }
      answered.open()
    }
    // Another thread may be delivering a report just then, and answers it there: so more than once.
    for _ in 0..<20 {
      switch answer {
      case .emits, .emitsToAnActor: event.emit(0)
      case .sets, .setsWhatAClosureReads, .setsWhatAHandlerReads: value.update { $0 += 1 }
      }
    }
    #expect(await eventually { answered.isOpen })
    // Deliveries on the actor continue after this point.
    for _ in 0..<3 { await withCheckedContinuation { done in Task { @MainActor in done.resume() } } }
    #expect(rounds.current < 200)
    token.cancel()
    withExtendedLifetime(tokens) {}
  }
  private let most = 30_000
}

/// A cycle that is rejected when it is `depth` deep.
private func cycle(_ label: String, depth: Int? = nil) {
  let event = Event<Int>(label, maximumDepth: depth)
  let token = event.observe { if $0 < 100_000 { event.emit($0 + 1) } }
  event.emit(0)
  token.cancel()
}
