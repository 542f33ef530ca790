import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  45. An effect that is made in the run of another one belongs to that run: before the next run, and at the end of the \
  outer effect, it is cancelled unless its subscription is kept elsewhere. The closures of `onCleanup` are called at the \
  same moments, the newest first.
  """, .serialized)
struct NestedEffectTests {
  @Test("an inner effect runs until the next run of the outer one")
  func untilTheNextRun() {
    let (outer, inner, log) = (Observed(1), Observed(1), Recorder<String>())
    let token = effect {
      let number = outer.value
      log("outer \(number)")
      _ = effect { log("inner \(number) \(inner.value)") }
    }
    #expect(log.values == ["outer 1", "inner 1 1"])
    inner.set(2)
    #expect(log.values.last == "inner 1 2" && log.values.count == 3)
    outer.set(2)
    #expect(Array(log.values.suffix(2)) == ["outer 2", "inner 2 2"])
    let count = log.values.count
    inner.set(3)
    #expect(log.values.count == count + 1 && log.values.last == "inner 2 3", "one inner effect is left")
    token.cancel()
    inner.set(4)
    #expect(log.values.count == count + 1, "and none at the end")
  }

  @Test("an inner effect that is kept elsewhere goes on")
  func keptElsewhere() {
    let (outer, inner, log, kept) = (Observed(1), Observed(1), Recorder<String>(), Locked<[Subscription]>([]))
    var token: Subscription? = effect {
      let number = outer.value
      let inner = effect { log("\(number) \(inner.value)") }
      if number == 1 { kept.withLock { $0.append(inner) } }
    }
    outer.set(2)
    inner.set(2)
    #expect(Set(log.values.suffix(2)) == ["1 2", "2 2"])
    withExtendedLifetime(token) {}
    token = nil
    inner.set(3)
    #expect(log.values.last == "1 3" && log.values.filter { $0.hasSuffix(" 3") }.count == 1)
    kept.current = []
  }

  @Test("one in the closure of a derived value does not belong to the effect that reads it")
  func inADerivedValue() {
    let (outer, inner, log, kept) = (Observed(1), Observed(1), Recorder<Int>(), Locked<[Subscription]>([]))
    let made = Derived { () -> Int in
      kept.current = [effect { log(inner.value) }]
      return 1
    }
    let token = effect { _ = made.value + outer.value }
    outer.set(2)
    inner.set(2)
    #expect(log.values == [1, 2])
    withExtendedLifetime(token) {}
  }

  enum End: String, CaseIterable { case cancel, drop, sources, itself }

  @Test("cleanups are called before the next run and at the end, the newest first, once", arguments: End.allCases)
  func cleanups(_ end: End) {
    let (log, kept, other) = (Recorder<String>(), Locked<Subscription?>(nil), Observed(1))
    var source: Observed<Int>? = Observed(1)
    kept.current = effect { [reading = source!.map { $0 }] in
      let number = reading.value
      log("run \(number)")
      onCleanup { log("first \(number)") }
      _ = effect {
        _ = other.value
        onCleanup { log("inner \(number)") }
      }
      onCleanup { log("last \(number)") }
      if number == 3 { kept.current?.cancel() }
    }
    source?.set(2)
    #expect(log.values == ["run 1", "last 1", "inner 1", "first 1", "run 2"])
    switch end {
    case .cancel: kept.current?.cancel()
    case .drop: kept.current = nil
    case .sources: source = nil
    case .itself: source?.set(3)
    }
    let ended =
      end == .itself
      ? ["last 2", "inner 2", "first 2", "run 3", "last 3", "first 3"] : ["last 2", "inner 2", "first 2"]
    #expect(Array(log.values.dropFirst(5)) == ended)
    kept.current = nil
    source = nil
    #expect(Array(log.values.dropFirst(5)) == ended)
  }

  @Test("what a cleanup reads is no dependency, and what it sets is rejected")
  func cleanupOnlyReads() {
    let reports = Reports(about: ["cleanup.written"])
    let (source, beside, runs) = (Observed(1), Observed(1), Recorder<Int>())
    let written = Observed(0, label: "cleanup.written")
    let token = effect("cleanup.effect") {
      _ = source.value
      runs(1)
      onCleanup {
        _ = beside.value
        written.set(1)
      }
    }
    source.set(2)
    beside.set(2)
    #expect(runs.values.count == 2)
    #expect(reports.labels == [["cleanup.effect", "cleanup.written"]])
    withExtendedLifetime(token) {}
  }

  @Test("a pause calls no cleanup")
  func pauseCallsNone() {
    let (source, log) = (Observed(1), Recorder<Int>())
    let token = effect {
      let number = source.value
      onCleanup { log(number) }
    }
    token.pause()
    source.set(2)
    #expect(log.values == [])
    token.resume()
    #expect(log.values == [1])
    token.cancel()
    #expect(log.values == [1, 2])
  }

  @MainActor private final class Screen {
    var lines: [String] = []
  }
  @Test("on the main actor cleanups are called there")
  @MainActor func onTheMainActor() async {
    let (screen, source, other) = (Screen(), Observed(1), Observed(1))
    var token: Subscription? = effect {
      let number = source.value
      onCleanup { screen.lines.append("cleanup \(number)") }
      _ = effect {
        _ = other.value
        onCleanup { screen.lines.append("inner \(number)") }
      }
    }
    source.set(2)
    #expect(screen.lines == ["inner 1", "cleanup 1"], "in place, before the next run")
    Threads.meanwhile { source.set(3) }
    #expect(await eventually { screen.lines.count == 4 })
    withExtendedLifetime(token) {}
    token = nil
    #expect(await eventually { Set(screen.lines.dropFirst(4)) == ["inner 3", "cleanup 3"] })
  }

  @Test("among threads each run is cleaned up once, and never while it runs")
  func amongThreads() {
    for _ in 0..<20 {
      let (source, open, runs, faults) = (Observed(0), Locked(0), Recorder<Int>(), Recorder<Int>())
      let token = effect {
        _ = source.value
        runs(1)
        if open.withLock({ open in
          open += 1
          return open != 1
        }) {
          faults(1)
        }
        onCleanup { open.withLock { $0 -= 1 } }
      }
      Threads.together(4) { thread in
        for step in 0..<50 { source.set(thread * 100 + step) }
        if thread == 3 { token.cancel() }
      }
      #expect(faults.values.count == 0)
      #expect(open.current == 0)
    }
  }

  @Test("a cleanup outside the run of an effect is reported")
  func outsideARun() async {
    let reports = Recorder<String>()
    let token = Diagnostics.reports.observe { if $0.message.hasPrefix("cleanup rejected") { reports($0.message) } }
    onCleanup {}
    _ =
      Derived { () -> Int in
        onCleanup {}
        return 1
      }.value
    // Another test's thread may be delivering reports, and then delivers these too.
    await Diagnostics.reports.drained()
    #expect(reports.values.count == 2)
    #expect(reports.values.allSatisfy { $0.contains("NestedEffectTests.swift") })
    token.cancel()
  }
}
