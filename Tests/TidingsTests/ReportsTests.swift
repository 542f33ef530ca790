import Testing
import Tidings
import TidingsTesting

@Suite("Reports", .timeLimit(.minutes(20)))
struct ReportsTests {
  // Reports of circles in other tests go to the same event: another thread may be delivering, and then delivers these too.

  @Test("A circle is refused, and reported with the labels of the events it goes through")
  func reports() {
    let (reports, told) = (Recorder<Diagnosis.Report>(), Gate())
    let token = Diagnosis.reports.observe { report in
      guard report.labels.contains("to") else { return }
      reports(report)
      told.open()
    }
    let (to, fro) = (Event<Int>("to", maximumDepth: 10), Event<Int>("fro", maximumDepth: 10))
    let tokens = [to.observe { if $0 < 100 { fro.emit($0 + 1) } }, fro.observe { if $0 < 100 { to.emit($0 + 1) } }]
    to.emit(0)
    #expect(told.wait())
    #expect(reports.values.count == 1)
    #expect(Set(reports.values.first?.labels ?? []) == ["to", "fro"])
    let message = reports.values.first?.message ?? ""
    #expect(message.contains("to") && message.contains("fro"))
    #expect(reports.values.first?.description == message)
    withExtendedLifetime(tokens) {}
    token.cancel()
  }

  @Test("An event without a label is reported by where it was made")
  func unnamedReports() {
    let (reports, told) = (Recorder<Diagnosis.Report>(), Gate())
    let line: UInt = #line
    let event = Event<Int>(maximumDepth: 10)
    let token = Diagnosis.reports.observe { report in
      guard report.labels.contains(where: { $0.contains("ReportsTests.swift:\(line + 1)") }) else { return }
      reports(report)
      told.open()
    }
    let circle = event.observe { if $0 < 100 { event.emit($0 + 1) } }
    event.emit(0)
    #expect(told.wait())
    #expect(reports.values.count == 1)
    circle.cancel()
    token.cancel()
  }

  @Test("Whoever is told of a report may emit")
  func reportsMayBeAnswered() {
    let (answers, count, answered) = (Event<Int>("answers"), Locked(0), Gate())
    let token = Diagnosis.reports.observe { report in
      if report.labels.contains("asked") { answers.emit(1) }
    }
    let answer = answers.observe { _ in
      count.withLock { $0 += 1 }
      answered.open()
    }
    let event = Event<Int>("asked", maximumDepth: 10)
    let circle = event.observe { if $0 < 100 { event.emit($0 + 1) } }
    event.emit(0)
    #expect(answered.wait())
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
    #expect(entered.wait())
    circle("behind it")
    proceed.open()
    #expect(await told.values(atLeast: 1).count == 1)
    token.cancel()
  }

  @Test("However deep a circle was, whoever is told of it may set a value and emit to an event that is busy")
  func setByAnObserver() async {
    let (last, log, heard) = (Observed(""), Event<String>(), Recorder<String>())
    let (entered, proceed) = (Gate(), Gate())
    let token = Diagnosis.reports.observe { report in
      guard report.labels.last == "ten thousand deep" else { return }
      last.set(report.message)
      log.emit(report.message)
    }
    let logging = log.observe { line in
      heard(line)
      if line.isEmpty {
        entered.open()
        proceed.wait()
      }
    }
    Threads.start { log.emit("") }
    #expect(entered.wait())
    circle("ten thousand deep")
    proceed.open()
    #expect(await heard.values(atLeast: 2).last == last.value)
    #expect(last.value.contains("10001"))
    token.cancel()
    logging.cancel()
  }

  @Test("What an observer of reports causes at each is told ten deep", arguments: [true, false])
  func circlesOfReports(isComputing: Bool) {
    let name = isComputing ? "emitted by a closure that computes" : "again and again"
    let cause: @Sendable () -> Void = {
      if !isComputing { return circle(name, depth: 5) }
      let event = Event<Int>(name)
      let token = event.observe { _ in }
      let value = Derived {
        event.emit(1)
        return 0
      }
      #expect(value.value == 0)
      token.cancel()
    }
    let (count, last) = (Locked(0), Gate())
    let token = Diagnosis.reports.observe { report in
      if report.labels.last == name {
        let depth = count.withLock { count in
          count += 1
          return count
        }
        cause()
        // Behind an eleventh, if there is one.
        if depth == 10 { Threads.elsewhere { circle("the last of '\(name)'", depth: 5) } }
      }
      if report.labels.last == "the last of '\(name)'" { last.open() }
    }
    cause()
    #expect(last.wait())
    #expect(count.current == 10)
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
