import TestSupport
import Testing
import Tidings
import TidingsTesting

/// Cycles, and what only looks like one, through the destruction of values.
@Suite("Cycles while another thread computes", .serialized, .timeLimit(.minutes(20)))
struct ConcurrentCyclesTests {
  @Test(
    "A value whose `deinit` changes what it is made of is recomputed, but not for ever", arguments: [false, true],
    [false, true])
  func endsInACycle(isReadByAnother: Bool, hasWillChange: Bool) {
    let (source, rounds) = (Observed(0, maximumDepth: 40), Tally())
    let derived = Derived { () -> DeinitCallback in
      _ = source.value
      rounds.add(1)
      return DeinitCallback { if rounds.total < 2_000 { source.update { $0 += 1 } } }
    }
    var tokens = [isReadByAnother ? readerOf(derived, source).observe { _ in } : derived.observe { _ in }]
    if hasWillChange { tokens.append(source.willChange.observe { _ in }) }
    source.set(1)
    tokens = []
    #expect((30..<100).contains(rounds.total))
  }

  @Test("A value whose `deinit` changes its source is not recomputed forever if a handler reads it")
  func endsInACycleOfReading() {
    let (source, rounds) = (Observed(0, maximumDepth: 40), Tally())
    let read = Derived { () -> DeinitCallback in
      _ = source.value
      return DeinitCallback { if rounds.total < 200 { source.update { $0 += 1 } } }
    }
    let token = Derived { source.value }.observe { _ in
      rounds.add(1)
      read.value.touch()
    }
    read.value.touch()
    source.set(1)
    token.cancel()
    #expect((31..<100).contains(rounds.total))
  }

  @Test("A cycle through destruction is stopped though each value is destroyed by another thread, which was reading it")
  func endedByOthers() async {
    let (source, rounds, over) = (Observed(0, label: "destroyed elsewhere", maximumDepth: 40), Tally(), Gate())
    let replaced = Derived { () -> DeinitCallback in
      _ = source.value
      rounds.add(1)
      return DeinitCallback {
        if rounds.total == 500 { return over.open() }
        let (entered, proceed) = (Gate(), Gate())
        let slow = Derived { () -> Int in
          let value = source.value
          entered.open()
          proceed.wait()
          return value
        }
        Threads.start { _ = slow.value }
        entered.wait()
        if rounds.total < 500 { source.update { $0 += 1 } }
        proceed.open()
      }
    }
    // Reports of other tests arrive here as well.
    let reports = Diagnostics.reports.observe { if $0.message.contains("destroyed elsewhere") { over.open() } }
    let token = replaced.observe { _ in }
    source.set(1)
    await over.wait()
    #expect((31..<100).contains(rounds.total))
    rounds.add(500)
    withExtendedLifetime((token, reports)) {}
  }

  @Test("The depth of a chain is forgotten with it: a later one may be as deep")
  func deepBefore() {
    let (trigger, written) = (Observed(0), Observed(0))
    let (entered, moved, runs) = (Gate(), Gate(), Tally())
    let slow = Derived { () -> DeinitCallback in
      _ = trigger.value
      runs.add(1)
      if runs.total == 2 {
        entered.open()
        moved.wait()
      }
      return DeinitCallback { written.update { $0 += 1 } }
    }
    let reader = Derived {
      slow.value.touch()
      return trigger.value
    }
    _ = reader.value
    Threads.start {
      // The value computed meanwhile is that of an earlier moment. It is destroyed when the reading ends.
      entered.wait()
      trigger.update { $0 += 1 }
      slow.value.touch()
      moved.open()
    }
    let (source, limited) = (Observed(0), Observed(0, maximumDepth: 50))
    let replaced = Derived { () -> DeinitCallback in
      let number = source.value
      return DeinitCallback { limited.set(number + 1) }
    }
    let token = readerOf(replaced, source).observe { _ in }
    let event = Event<Int>()
    let chain = event.observe { number in
      if number < 100 { return event.emit(number + 1) }
      trigger.update { $0 += 1 }
      _ = reader.value
    }
    event.emit(0)
    source.set(1)
    #expect(limited.value == 1)
    withExtendedLifetime((token, chain)) {}
  }
}
