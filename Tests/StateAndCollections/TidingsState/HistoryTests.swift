import Testing
import Tidings
import TidingsState
import TidingsTesting

@Suite("Undo and redo")
struct HistoryTests {
  @Test(
    """
    38. A `History` has one step for each propagation that changed a value: a `set` or a transaction that no handler causes, with \
    everything that handlers write because of it, in any number of rounds and on any actor. `undo()` and `redo()` restore the \
    values of all in one transaction, in the reverse order of the changes; what they cause is part of them. The steps agree with \
    the values on every thread. A new change forgets what could be redone.
    """)
  func aStepIsWhatChangedTogether() {
    stepsAreUndoneAndRedone()
    oneStepForATransaction()
    oneStepForWhatHandlersSet()
    undoIsOneTransaction()
    for seed in Runs.seeds(10, of: "history") { randomised(seed) }
    amongThreads()
  }

  private func stepsAreUndoneAndRedone() {
    let (name, count) = (Observed("a"), Observed(0))
    let history = History(of: name, count)
    #expect(!history.canUndo.value && !history.canRedo.value && !history.undo() && !history.redo())
    name.set("b")
    count.set(1)
    name.set("c")
    #expect(history.undo() && name.value == "b" && count.value == 1)
    #expect(history.undo() && name.value == "b" && count.value == 0)
    #expect(history.undo() && name.value == "a" && !history.canUndo.value && history.canRedo.value)
    #expect(!history.undo())
    while history.redo() {}
    #expect(name.value == "c" && count.value == 1 && history.canUndo.value && !history.canRedo.value)
    #expect(history.undo() && name.value == "b")
    history.clear()
    #expect(!history.undo() && !history.redo() && name.value == "b")
  }

  private func oneStepForATransaction() {
    let (left, right) = (Observed(1), Observed(1))
    let history = History(of: left, right)
    transaction {
      left.set(2)
      right.set(2)
      left.update { $0 += 1 }
    }
    struct Stop: Error {}
    try? transaction {
      left.set(9)
      throw Stop()
    }
    #expect(history.undo() && left.value == 1 && right.value == 1 && !history.canUndo.value)
    #expect(history.redo() && left.value == 3 && right.value == 2)
  }

  private func oneStepForWhatHandlersSet() {
    let (left, right) = (Observed(1), Observed(10))
    let history = History(of: left, right)
    let token = left.observe { change in right.set(change.new * 10) }
    left.set(2)
    #expect(right.value == 20)
    #expect(history.undo() && left.value == 1 && right.value == 10 && !history.canUndo.value)
    withExtendedLifetime(token) {}
  }

  private func undoIsOneTransaction() {
    let (left, right, sums) = (Observed(0), Observed(0), Recorder<Int>())
    let history = History(of: left, right)
    let sum = Derived { left.value + right.value }
    transaction {
      left.set(5)
      right.set(-5)
    }
    transaction {
      left.set(7)
      right.set(1)
    }
    let token = sum.observe { sums($0.new) }
    history.undo()
    history.redo()
    history.undo()
    #expect(sums.values == [0, 8, 0])
    withExtendedLifetime(token) {}
  }

  /// Against two plain arrays of states.
  private func randomised(_ seed: UInt64) {
    var random = SplitMix64(seed)
    let values = (0..<3).map { _ in Observed(0) }
    let history = History(of: values[0], values[1], values[2], limit: 20)
    var (past, now, future): ([[Int]], [Int], [[Int]]) = ([], [0, 0, 0], [])
    for step in 0..<300 {
      switch random.number(below: 5) {
      case 0:
        #expect(history.undo() == !past.isEmpty)
        if let last = past.popLast() {
          future.append(now)
          now = last
        }
      case 1:
        #expect(history.redo() == !future.isEmpty)
        if let next = future.popLast() {
          past.append(now)
          now = next
        }
      default:
        var next = now
        transaction {
          for _ in 0...random.number(below: 2) {
            let (index, new) = (random.number(below: 3), random.number(below: 4))
            next[index] = new
            values[index].set(new)
          }
        }
        if next != now {
          past = Array((past + [now]).suffix(20))
          (now, future) = (next, [])
        }
      }
      guard values.map(\.value) == now else {
        Issue.record("TIDINGS_SEED=\(seed), step \(step): \(values.map(\.value)) and not \(now)")
        return
      }
    }
  }

  /// Whatever other threads do, both values are of one moment.
  private func amongThreads() {
    let (left, right, mixed) = (Observed(0), Observed(0), Locked(0))
    let history = History(of: left, right)
    let same = Derived { left.value == right.value }
    Threads.together(4) { thread in
      for step in 0..<300 {
        switch thread {
        case 0: history.undo()
        case 1: history.redo()
        default:
          transaction {
            left.set(thread * 1_000 + step)
            right.set(thread * 1_000 + step)
          }
        }
        if !same.value { mixed.withLock { $0 += 1 } }
      }
    }
    while history.undo() {}
    #expect(mixed.current == 0 && left.value == right.value)
  }

  @Test("A history that is destroyed takes no more steps, and keeps nothing")
  func ends() {
    let value = Observed(Canaries?.none)
    weak var kept: History?
    do {
      let history = History(of: value)
      kept = history
      value.set(nil)
    }
    #expect(kept == nil && value.diagnostics.count == 0)
  }

  @Test("Buttons follow what can be undone")
  @MainActor func buttons() {
    let value = Observed(0)
    let history = History(of: value)
    var enabled: [Bool] = []
    let token = history.canUndo.observe(.initial) { enabled.append($0.new) }
    value.set(1)
    value.set(2)
    history.undo()
    history.undo()
    #expect(enabled == [false, true, false])
    withExtendedLifetime(token) {}
  }
}
