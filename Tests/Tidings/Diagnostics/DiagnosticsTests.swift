import Testing
import Tidings
import TidingsTesting

@Suite("Diagnostics")
struct DiagnosticsTests {
  @Test("Diagnostics name the label, the number of subscriptions, and where they were made; and print well")
  func subscriptions() {
    let event = Event<Int>("market.traded")
    let line: UInt = #line
    let first = event.observe { _ in }
    let second = event.map { "\($0)" }.observe { _ in }
    let third = event.once { _ in }
    second.pause()
    let diagnostics = event.diagnostics
    #expect(diagnostics.label == "market.traded")
    #expect(diagnostics.count == 3)
    #expect(diagnostics.waiting == 0)
    #expect(diagnostics.subscriptions.map(\.isPaused) == [false, true, false])
    #expect(diagnostics.subscriptions.map(\.queued) == [0, 0, 0])
    #if DEBUG
    #expect(diagnostics.subscriptions.map(\.line) == [line + 1, line + 2, line + 3])
    for site in diagnostics.subscriptions { #expect(site.file?.hasSuffix("DiagnosticsTests.swift") == true) }
    #expect(diagnostics.description.contains("DiagnosticsTests.swift"))
    #else
    #expect(diagnostics.subscriptions.allSatisfy { $0.file == nil && $0.line == nil } && line > 0)
    #endif
    first.cancel()
    #expect(event.diagnostics.subscriptions.count == 2, "the second and the third are left")
    #expect(diagnostics.count == 3, "a snapshot stays as it was")
    let text = diagnostics.description
    #expect(text.contains("market.traded") && text.contains("3") && !text.contains("Optional"))
    let unnamed = Event<Int>().diagnostics
    #expect(unnamed.label == nil && !unnamed.description.isEmpty && !unnamed.description.contains("nil"))
    withExtendedLifetime((second, third)) {}
  }

  @Test("It counts values that wait in the event's queue and on their way to an actor")
  func queues() async {
    let (event, actor, proceed, waiting) = (Event<Int>("slow"), TestActor(), Gate(), Recorder<Int>())
    await actor.occupy(until: proceed)
    event.observe(with: actor) { actor, value in actor.note(value) }
    let token = event.observe { value in
      if value == 1 { event.emit(contentsOf: [2, 3]) }
      waiting(event.diagnostics.waiting)
    }
    event.emit(1)
    #expect(waiting.values == [2, 1, 0])
    #expect(event.diagnostics.subscriptions.map(\.queued) == [3, 0])
    proceed.open()
    await event.emitAndWait(4)
    #expect(await eventually { event.diagnostics.subscriptions.map(\.queued) == [0, 0] })
    token.cancel()
  }

  @Test("A local event gives the same")
  func localEvents() {
    let event = LocalEvent<Int>("local")
    let line: UInt = #line
    let first = event.observe { _ in }
    let second = event.observe { _ in }
    second.pause()
    let diagnostics = event.diagnostics
    #expect(diagnostics.label == "local" && diagnostics.count == 2 && diagnostics.waiting == 0)
    #expect(diagnostics.subscriptions.map(\.isPaused) == [false, true])
    #if DEBUG
    #expect(diagnostics.subscriptions.map(\.line) == [line + 1, line + 2])
    #else
    #expect(line > 0)
    #endif
    #expect(diagnostics.description.contains("local"))
    first.cancel()
    #expect(event.diagnostics.count == 1)
  }
}
