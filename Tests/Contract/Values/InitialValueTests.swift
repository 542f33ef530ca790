import Testing
import Tidings
import TidingsTesting

/// Sentence 3 (".initial delivers the value of that moment"), 5 and 23, where setting and observing meet.
@Suite("Observing from the initial value on")
struct InitialValueTests {
  /// Ends the test even if the handler would be called forever, as in an earlier version.
  private static let most = 20_000

  @Test("A handler that sets the value it observes from its initial value on is stopped and reported")
  func aHandlerThatSetsItsValueIsStopped() {
    let reports = Reports(about: ["initial"])
    let (value, received) = (Observed(0, label: "initial", maximumDepth: 40), ChangeRecorder<Int>())
    let token = value.observe(.initial) { change in
      received(change)
      if change.new < Self.most { value.set(change.new + 1) }
    }
    #expect((30..<60).contains(received.newValues.count) && received.isUnbroken())
    #expect(reports.labels == [["initial"]])
    value.set(-1)
    #expect(received.isUnbroken() && received.olds.filter { $0 == nil }.count == 1)
    token.cancel()
  }

  @Test("A value that a handler sets in its initial call is delivered once, after that call, to every handler in order")
  func whatTheInitialCallSetsIsDeliveredAfterIt() {
    let (value, log) = (Observed(0), Recorder<String>())
    let double = Derived { value.value * 2 }
    let first = [value.observe { log("first \($0.new)") }, double.observe { log("double \($0.new)") }]
    let token = value.observe(.initial) { change in
      log("begin \(change.old ?? -1)→\(change.new)")
      if change.new == 0 { value.set(1) }
      log("end")
    }
    #expect(log.values == ["begin -1→0", "end", "first 1", "begin 0→1", "end", "double 2"])
    withExtendedLifetime((first, token)) {}
  }

  @Test("A value that a handler of a LocalObserved sets in its initial call is delivered once, after that call")
  func whatTheInitialCallSetsLocallyIsDeliveredAfterIt() {
    let value = LocalObserved(0)
    var log: [String] = []
    let first = value.observe { log.append("first \($0.new)") }
    let token = value.observe(.initial) { change in
      log.append("begin \(change.old ?? -1)→\(change.new)")
      if change.new == 0 { value.value = 1 }
      log.append("end")
    }
    #expect(log == ["begin -1→0", "end", "first 1", "begin 0→1", "end"])
    withExtendedLifetime((first, token)) {}
  }

  @Test("Observing from the initial value on returns after 1,024 changes though another thread writes at each call")
  func observingReturnsThoughAnotherThreadWrites() async {
    for isDerived in [false, true] {
      let (value, received, writer) = (Observed(0), ChangeRecorder<Int>(), Writer())
      let same = Derived { value.value }
      let (here, inPlace) = (Writer.thread, Locked(0))
      let handler: @Sendable (Change<Int>) -> Void = { change in
        received(change)
        if Writer.thread == here { inPlace.withLock { $0 += 1 } }
        if change.new < 3_000 { writer.run { value.set(change.new + 1) } }
      }
      let token = isDerived ? same.observe(.initial) { handler($0) } : value.observe(.initial) { handler($0) }
      #expect(inPlace.current <= 1_100)
      #expect(await received.ends(with: 3_000))
      #expect(received.isUnbroken() && received.newValues == Array(0...3_000))
      token.cancel()
    }
  }

  @Test("Changes that another thread delivers meanwhile come after the initial value, and each once")
  func anotherThreadDeliversMeanwhile() async {
    let (value, received, writer) = (Observed(0), ChangeRecorder<Int>(), Writer())
    let (isIn, isOut) = (Gate(), Gate())
    let busy = value.observe { change in
      guard change.new == 1 else { return }
      isIn.open()
      _ = isOut.wait()
    }
    writer.start { value.set(1) }
    #expect(isIn.wait())
    // The writer delivers now, in the handler above.
    let token = value.observe(.initial) { change in
      if change.old == nil {
        value.set(2)
        isOut.open()
        writer.run { value.set(3) }
      }
      received(change)
    }
    value.set(4)
    #expect(await received.ends(with: 4))
    #expect(received.changes == [.from(nil, to: 1), .from(1, to: 2), .from(2, to: 3), .from(3, to: 4)])
    withExtendedLifetime((busy, token)) {}
  }
}
