import Testing
import TidingsTesting

/// The oracle is given histories that no library made.
@Suite("The oracle of the event fuzz")
struct EventFuzzOracleTests {
  @Test("It names calls that are lost, made twice, out of order, off the actor or too late, and nothing else")
  func itNamesWhatIsWrong() async {
    #expect(await violations { [$0, $1] } == [])
    #expect(await violations { [$1, $0] }.contains { $0.contains("(2)") })
    #expect(await violations { [$1, $0] }.contains { $0.contains("(12)") }, "the first was emitted before the second")
    #expect(await violations { _, second in [second] }.contains { $0.contains("(3)") })
    #expect(await violations { [$0, $0, $1] }.contains { $0.contains("twice") })
    #expect(await violations(onActor: false) { [$0, $1] }.contains { $0.contains("elsewhere") })
    #expect(await violations(cancelled: true) { [$0, $1] }.contains { $0.contains("(6)") })
    #expect(await violations(drained: true) { [$0, $1] }.contains { $0.contains("(26)") })
    #expect(await violations(finished: true) { [$0, $1] }.contains { $0.contains("(25)") })
  }

  /// One handler receives two values as it should, and one on an actor those of `received`.
  private func violations(
    onActor: Bool = true, cancelled: Bool = false, drained: Bool = false, finished: Bool = false,
    _ received: (_ first: Int, _ second: Int) -> [Int]
  ) async -> [String] {
    let fuzz = EventFuzz(0)
    fuzz.addLasting()
    let handlers = fuzz.handlers.current
    let source = handlers[0].source
    if finished { source.finish(fuzz.clock) }
    let values = (0..<2).map { _ in
      let value = fuzz.emissions.begin(on: source.number, 0)
      fuzz.emissions.end(value)
      return value
    }
    for value in values { receive(handlers[0], value) }
    if drained { await fuzz.drain(source, isolation: nil) }
    let (calls, handler) = (received(values[0], values[1]), handlers[1])
    await fuzz.actors[0].run { _ in
      if cancelled { handler.perform(.cancel, by: 0, inside: nil) }
      if onActor { for value in calls { receive(handler, value) } }
    }
    if !onActor { for value in calls { receive(handler, value) } }
    return EventFuzzOracle(fuzz).violations
  }

  private func receive(_ handler: FuzzHandler, _ value: Int) { handler.end(handler.begin(FuzzItem(value: value))) }
}
