import Testing
import Tidings
import TidingsState
import TidingsTesting

/// A step of a `History` is a propagation: a write with everything that it causes.
@Suite("A step of a history is a propagation")
struct HistoryPropagationTests {
  @Test("What a derived value's handler sets is part of the step")
  func derivedHandlers() {
    let (a, c, b) = (Observed(1), Observed(2), Observed(3))
    let total = combine(a, c).observe { change in b.set(change.new.0 + change.new.1) }
    let history = History(of: a, b, c)
    a.set(10)
    c.set(20)
    let values = { [a.value, b.value, c.value] }
    #expect(values() == [10, 30, 20])
    #expect(history.undo() && values() == [10, 12, 2] && history.canUndo.value && history.canRedo.value)
    #expect(history.undo() && values() == [1, 3, 2] && !history.canUndo.value)
    #expect(history.redo() && values() == [10, 12, 2])
    #expect(history.redo() && values() == [10, 30, 20] && !history.canRedo.value)
    withExtendedLifetime(total) {}
  }

  @Test("What is caused through several rounds of derived values is part of the step")
  func rounds() {
    let values = (0..<5).map { Observed($0 == 0 ? 1 : 1 << $0) }
    let tokens = (0..<4).map { index in
      Derived { values[index].value * 2 }.observe { change in values[index + 1].set(change.new) }
    }
    let history = History(of: values[0], values[1], values[2], values[3], values[4])
    values[0].set(2)
    #expect(values.map(\.value) == [2, 4, 8, 16, 32])
    #expect(history.undo() && values.map(\.value) == [1, 2, 4, 8, 16] && !history.canUndo.value)
    #expect(history.redo() && values.map(\.value) == [2, 4, 8, 16, 32] && !history.canRedo.value)
    withExtendedLifetime(tokens) {}
  }

  @Test("A value that a derived value's handler limits can be undone")
  func limited() {
    let volume = Observed(50)
    let limit = Derived { volume.value > 100 }.observe { change in if change.new { volume.set(100) } }
    let history = History(of: volume)
    volume.set(80)
    volume.set(150)
    #expect(volume.value == 100)
    #expect(history.undo() && volume.value == 80)
    #expect(history.undo() && volume.value == 50 && !history.canUndo.value)
    #expect(history.redo() && volume.value == 80 && history.redo() && volume.value == 100 && !history.canRedo.value)
    withExtendedLifetime(limit) {}
  }

  @Test(
    "What the handler of a report sets is part of the step, and so is what follows the report",
    arguments: [true, false])
  func reports(isFirstTracked: Bool) async {
    let name = "finished in a step \(isFirstTracked)"
    let (first, answer, last, finished) = (Observed(0), Observed(0), Observed(0), Event<Int>(name))
    let history = isFirstTracked ? History(of: first, answer, last) : History(of: answer, last)
    finished.finish()
    let tokens = [
      first.observe { change in finished.emit(change.new) },
      Diagnostics.reports.observe { report in
        if report.labels.last == name { answer.update { $0 += 1 } }
      },
      first.observe { change in last.set(change.new) },
    ]
    first.set(1)
    // Another test's thread may be delivering reports, and then delivers this one too.
    await Diagnostics.reports.drained()
    #expect(answer.value == 1 && last.value == 1)
    #expect(history.undo() && answer.value == 0 && last.value == 0 && !history.canUndo.value)
    #expect(first.value == (isFirstTracked ? 0 : 1))
    withExtendedLifetime(tokens) {}
  }

  @Test("What an update causes is one step, also if a handler of willChange overtakes it and it runs again")
  func overtakenUpdate() {
    let (value, before, inside, after) = (Observed(0), Observed(0), Observed(0), Observed(0))
    let (attempts, hasOvertaken) = (Locked(0), Locked(false))
    let tokens = [
      value.willChange.observe { _ in
        if hasOvertaken.current { return }
        hasOvertaken.current = true
        before.set(1)
        value.set(5)
      },
      value.observe { change in after.set(change.new) },
    ]
    // The value itself is not recorded: a recorded one is written in a transaction.
    let history = History(of: before, inside, after)
    value.update { number in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt == 2 { inside.set(1) }
      number += 1
    }
    let values = { [before.value, inside.value, after.value] }
    #expect(attempts.current == 2 && value.value == 6 && values() == [1, 1, 6])
    #expect(history.undo() && values() == [0, 0, 0] && !history.canUndo.value)
    withExtendedLifetime(tokens) {}
  }

  @Test("A propagation after which every value is as before is no step, and forgets none")
  func withoutEffect() {
    let volume = Observed(100)
    let limit = Derived { volume.value > 100 }.observe { change in if change.new { volume.set(100) } }
    let history = History(of: volume)
    volume.set(90)
    volume.set(100)
    history.undo()
    #expect(volume.value == 90)
    transaction {
      volume.set(70)
      volume.set(90)
    }
    volume.set(90)
    #expect(history.canRedo.value)
    #expect(history.redo() && volume.value == 100)
    history.undo()
    history.redo()
    volume.set(150)
    #expect(volume.value == 100 && history.undo() && volume.value == 90 && history.canRedo.value)
    withExtendedLifetime(limit) {}
  }

  @Test("What the handlers of another value set, and those of what is derived from it, is one step")
  func causedByAnother() {
    let (cause, a, b, c) = (Observed(0), Observed(0), Observed(0), Observed(0))
    let happened = Event<Int>()
    let tokens = [
      cause.observe { change in a.set(change.new) },
      Derived { cause.value * 2 }.observe { change in b.set(change.new) },
      a.observe { change in happened.emit(change.new) },
      happened.observe { c.set($0 * 3) },
    ]
    let history = History(of: a, b, c)
    let values = { [a.value, b.value, c.value] }
    cause.set(1)
    cause.set(2)
    #expect(values() == [2, 4, 6])
    #expect(history.undo() && values() == [1, 2, 3])
    #expect(history.undo() && values() == [0, 0, 0] && !history.canUndo.value)
    happened.emit(5)
    b.set(7)
    #expect(history.undo() && values() == [0, 0, 15] && history.undo() && values() == [0, 0, 0])
    withExtendedLifetime(tokens) {}
  }

  @Test("Two values that the handler of an event sets are two steps")
  func eventHandlers() {
    let (pressed, a, b) = (Event<Int>(), Observed(0), Observed(0))
    let token = pressed.observe {
      a.set($0)
      b.set($0)
    }
    let history = History(of: a, b)
    pressed.emit(1)
    #expect(history.undo() && a.value == 1 && b.value == 0)
    #expect(history.undo() && a.value == 0 && !history.canUndo.value)
    withExtendedLifetime(token) {}
  }

  @Test("What a handler on another actor sets is part of the step, however late it runs")
  func onAnotherActor() async {
    let (a, b, c) = (Observed(0), Observed(0), Observed(0))
    let followers = [
      a.observe { @MainActor change in
        b.set(change.new * 10)
        c.set(change.new * 100)
      }
    ]
    let history = History(of: a, b, c)
    let values: @Sendable () -> [Int] = { [a.value, b.value, c.value] }
    await detached {
      a.set(1)
      a.set(2)
    }
    await followers[0].drained()
    #expect(values() == [2, 20, 200])
    await detached { #expect(history.undo()) }
    await followers[0].drained()
    #expect(values() == [1, 10, 100] && history.canUndo.value && history.canRedo.value)
    await detached { #expect(history.undo()) }
    await followers[0].drained()
    #expect(values() == [0, 0, 0] && !history.canUndo.value)
    await detached { while history.redo() {} }
    await followers[0].drained()
    #expect(values() == [2, 20, 200] && !history.canRedo.value)
    withExtendedLifetime(followers) {}
  }

  @Test("What an asynchronous handler sets after it was suspended is part of the step")
  func asynchronousHandlers() async {
    let (a, b) = (Observed(0), Observed(0))
    let follower = a.observe { change async in
      await Task.yield()
      b.set(change.new * 10)
    }
    let history = History(of: a, b)
    a.set(1)
    a.set(2)
    await follower.drained()
    #expect(b.value == 20)
    #expect(history.undo() && a.value == 1 && b.value == 10)
    await follower.drained()
    #expect(history.canUndo.value && history.canRedo.value && b.value == 10)
    #expect(history.undo() && a.value == 0 && b.value == 0 && !history.canUndo.value)
    await follower.drained()
    while history.redo() {}
    await follower.drained()
    #expect(a.value == 2 && b.value == 20)
    withExtendedLifetime(follower) {}
  }

  @Test("What is undone before its followers have run stays undone, and can be redone")
  func undoneEarly() async {
    let (a, b) = (Observed(0), Observed(0))
    let history = History(of: a, b)
    let follower = a.observe { @MainActor change in b.set(change.new * 10) }
    await detached {
      a.set(1)
      a.set(2)
      history.undo()
    }
    await follower.drained()
    #expect(a.value == 1 && b.value == 10 && history.canRedo.value)
    await detached { history.redo() }
    await follower.drained()
    #expect(a.value == 2 && b.value == 20 && !history.canRedo.value)
    await detached { while history.undo() {} }
    await follower.drained()
    #expect(a.value == 0 && b.value == 0 && history.canRedo.value)
    withExtendedLifetime(follower) {}
  }

  @Test("What is still caused by a step that was cleared is no step")
  func cleared() async {
    let (a, b) = (Observed(0), Observed(0))
    let history = History(of: a, b)
    let follower = a.observe { @MainActor change in b.set(change.new * 10) }
    await detached {
      a.set(1)
      history.clear()
    }
    await follower.drained()
    #expect(b.value == 10 && !history.canUndo.value)
    withExtendedLifetime(follower) {}
  }

  private func detached(_ body: @escaping @Sendable () -> Void) async { await Task.detached { body() }.value }
}
