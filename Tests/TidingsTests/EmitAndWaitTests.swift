import Testing
import Tidings
import TidingsTesting

@Suite("emitAndWait", .timeLimit(.minutes(20)))
struct EmitAndWaitTests {
  @Test("it returns when every handler on every actor has finished with the value")
  func waitsForAll() async {
    let (event, listeners) = (Event<Int>(), [Listener(), Listener()])
    for listener in listeners {
      for _ in 0..<2 { event.observe(with: listener) { listener, value in listener.note(value) } }
    }
    for value in 1...50 {
      await event.emitAndWait(value)
      for listener in listeners { #expect(await listener.heard.count == value * 2) }
    }
  }

  @Test("handlers that are paused, cancelled or without their owner count as finished, also when they are on their way")
  func countsThoseWhoDoNotHear() async {
    let (event, desk, proceed, heard) = (Event<Int>(), Desk(), Gate(), Recorder<Int>())
    let paused = await desk.run { desk in event.observe { desk.note($0) } }
    let cancelled = await desk.run { desk in event.observe { desk.note($0) } }
    let deaf = await desk.run { desk in event.observe { desk.note($0) } }
    deaf.pause()
    // The desk is busy; what is sent to it waits.
    await desk.occupy(until: proceed)
    let waiting = Task.detached {
      await event.emitAndWait(1)
      heard(1)
    }
    while event.diagnosis.subscriptions.filter({ $0.queued > 0 }).count < 2 { await Task.yield() }
    paused.pause()
    cancelled.cancel()
    await waiting.value
    #expect(heard.values == [1], "though the desk is still busy")
    proceed.open()
    await event.emitAndWait(2)
    #expect(await desk.heard == [])
  }

  @Test("a handler whose owner dies before its turn counts as finished")
  func countsDeadOwners() async {
    let event = Event<Int>()
    var owner: Listener? = Listener()
    event.observe(with: owner!) { owner, value in owner.note(value) }
    owner = nil
    await event.emitAndWait(1)
    #expect(event.diagnosis.count == 0)
  }

  @Test("a handler that emits and waits for its own event is refused with a report, and the event goes on")
  func fromItsOwnHandler() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (event, heard, reports) = (Event<Int>("waits for itself"), Recorder<Int>(), Recorder<String>())
    let listening = Diagnosis.reports.observe { report in
      if report.labels == ["waits for itself"] { reports(report.message) }
    }
    let token = event.observe { value in
      heard(value)
      if value == 1 { Task.immediate { await event.emitAndWait(2) } }
    }
    event.emit(1)
    await event.emitAndWait(3)
    #expect(heard.values == [1, 3])
    #expect(
      reports.values == [
        "'waits for itself' was asked by its own handler to emit and wait, which is refused: use emit there"
      ])
    token.cancel()
    listening.cancel()
  }
}
