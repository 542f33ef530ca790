import Testing
import Tidings
import TidingsTesting

@Suite("Reports", .timeLimit(.minutes(20)))
struct ReportsTests {
  // Reports of circles in other tests go to the same event: another thread may be delivering, and then delivers these too;
  // or this one delivers those, whose labels then begin with what runs here.

  @Test("A circle is refused, and reported with the labels of the events it goes through")
  func reports() async {
    let (reports, told) = (Recorder<Diagnosis.Report>(), Gate())
    let token = Diagnosis.reports.observe { report in
      guard ["to", "fro"].contains(report.labels.last) else { return }
      reports(report)
      told.open()
    }
    let (to, fro) = (Event<Int>("to", maximumDepth: 10), Event<Int>("fro", maximumDepth: 10))
    let tokens = [to.observe { if $0 < 100 { fro.emit($0 + 1) } }, fro.observe { if $0 < 100 { to.emit($0 + 1) } }]
    to.emit(0)
    #expect(await eventually { told.isOpen })
    #expect(reports.values.count == 1)
    #expect(Set(reports.values.first?.labels ?? []) == ["to", "fro"])
    let message = reports.values.first?.message ?? ""
    #expect(message.contains("to") && message.contains("fro"))
    #expect(reports.values.first?.description == message)
    withExtendedLifetime(tokens) {}
    token.cancel()
  }

  @Test("An event without a label is reported by where it was made")
  func unnamedReports() async {
    let (reports, told) = (Recorder<Diagnosis.Report>(), Gate())
    let line: UInt = #line
    let event = Event<Int>(maximumDepth: 10)
    let token = Diagnosis.reports.observe { report in
      guard report.labels.last?.contains("ReportsTests.swift:\(line + 1)") == true else { return }
      reports(report)
      told.open()
    }
    let circle = event.observe { if $0 < 100 { event.emit($0 + 1) } }
    event.emit(0)
    #expect(await eventually { told.isOpen })
    #expect(reports.values.count == 1)
    circle.cancel()
    token.cancel()
  }

  @Test("Whoever is told of a report may emit")
  func reportsMayBeAnswered() async {
    let (answers, count, answered) = (Event<Int>("answers"), Locked(0), Gate())
    let token = Diagnosis.reports.observe { report in
      if report.labels.last == "asked" { answers.emit(1) }
    }
    let answer = answers.observe { _ in
      count.withLock { $0 += 1 }
      answered.open()
    }
    let event = Event<Int>("asked", maximumDepth: 10)
    let circle = event.observe { if $0 < 100 { event.emit($0 + 1) } }
    event.emit(0)
    #expect(await eventually { answered.isOpen })
    #expect(count.current == 1)
    withExtendedLifetime((token, answer, circle)) {}
  }

  @Test("However deep a circle was, its report is told, also when another thread is telling one just then")
  func whileAnotherIsTold() async {
    let (entered, proceed, told) = (Gate(), Gate(), Recorder<String>())
    let token = Diagnosis.reports.observe { report in
      switch report.labels.last {
      case "held up":
        entered.open()
        proceed.wait()
      case "behind it": told(report.message)
      default: break
      }
    }
    Threads.start { circle("held up", depth: 5) }
    // No turn is given away while reports are held up: others wait for them on the threads that run tasks.
    #expect(entered.wait())
    circle("behind it")
    proceed.open()
    #expect(await told.values(atLeast: 1).count == 1)
    token.cancel()
  }
}

/// A circle that is refused when it is `depth` deep.
private func circle(_ label: String, depth: Int? = nil) {
  let event = Event<Int>(label, maximumDepth: depth)
  let token = event.observe { if $0 < 100_000 { event.emit($0 + 1) } }
  event.emit(0)
  token.cancel()
}
