import Testing
import Tidings
import TidingsState
import TidingsTesting

@Suite("Threads undo and write simultaneously")
struct HistoryThreadsTests {
  @Test("Undos of several threads take back one step each")
  func simultaneousUndos() {
    for _ in 0..<Runs.size(20, full: 200) {
      let value = Observed(0)
      let history = History(of: value, limit: 1_000)
      for number in 1...200 { value.set(number) }
      let undone = Locked(0)
      Threads.together(4) { _ in
        for _ in 0..<25 where history.undo() { undone.withLock { $0 += 1 } }
      }
      #expect(undone.current == 100 && value.value == 100)
      var redone = 0
      while history.redo() { redone += 1 }
      #expect(redone == 100 && value.value == 200)
    }
  }

  @Test("An undo that another thread's undo overtakes takes back the next step")
  func overtakenUndo() {
    let hook = Locked<(@Sendable () -> Void)?>(nil)
    let compared: @Sendable (Int, Int) -> Bool = { _, _ in
      hook.withLock { $0.take() }?()
      return false
    }
    let value = Observed(0, changes: .by(compared))
    let history = History(of: value)
    for number in 1...3 { value.set(number) }
    hook.current = { Threads.elsewhere { history.undo() } }
    #expect(history.undo() && value.value == 1)
    #expect(history.undo() && value.value == 0 && !history.undo())
    while history.redo() {}
    #expect(value.value == 3)
    hook.current = { Threads.elsewhere { value.set(4) } }
    #expect(history.undo() && value.value == 3 && history.redo() && value.value == 4)
  }

  @Test("An undo beside a set takes back the newest step and loses no set")
  func undoBesideSets() {
    for _ in 0..<Runs.size(20, full: 200) {
      let (value, other, changes) = (Observed(0), Observed(0), Recorder<Int>())
      let history = History(of: value, other, limit: 10_000)
      let token = value.observe { changes($0.new) }
      Threads.together(2) { thread in
        for number in 1...200 {
          if thread == 0 { value.set(number) } else { history.undo() }
        }
      }
      // The sets are in order, and each number occurs first where it was set.
      var (past, now, next) = ([Int](), 0, 1)
      for new in changes.values {
        if new == next {
          past.append(now)
          next += 1
        } else if new != past.popLast() {
          Issue.record("\(new) after \(now) is neither a set nor an undo")
        }
        now = new
      }
      #expect(next == 201)
      while let last = past.popLast() { #expect(history.undo() && value.value == last) }
      #expect(!history.undo() && value.value == 0)
      withExtendedLifetime(token) {}
    }
  }

  @Test("Followers of several threads' writes are parts of the steps of these writes")
  func followersOfThreads() {
    for _ in 0..<Runs.size(5, full: 50) {
      let (values, totals) = ((0..<2).map { _ in Observed(0) }, (0..<2).map { _ in Observed(0) })
      let tokens = (0..<2).map { index in
        Derived { values[index].value * 10 }.observe { change in totals[index].set(change.new) }
      }
      let history = History(of: values[0], values[1], totals[0], totals[1], limit: 10_000)
      Threads.together(2) { thread in for number in 1...100 { values[thread].set(number) } }
      var undone = 0
      while history.undo() {
        undone += 1
        #expect(totals.map(\.value) == values.map { $0.value * 10 })
      }
      #expect(undone == 200 && values.map(\.value) == [0, 0])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("What another thread delivers of a thread's write is part of the step of that write")
  func deliveredElsewhere() {
    for seed in Runs.seeds(Runs.size(10, full: 200), of: "steps delivered elsewhere") {
      let (heads, tails) = ((0..<2).map { _ in Observed(0) }, (0..<2).map { _ in Observed(0) })
      // A number, and in the last bit the thread that wrote it.
      let (shared, passedOn) = (Observed(0), Event<Int>())
      let tokens = [
        shared.observe { change in passedOn.emit(change.new) },
        passedOn.observe { code in tails[code & 1].set(code >> 1) },
      ]
      let histories = (0..<2).map { History(of: heads[$0], tails[$0], limit: 10_000) }
      Threads.together(2) { thread in
        var random = SplitMix64(seed &+ UInt64(thread))
        for number in 1...100 {
          switch random.number(below: 3) {
          case 0:
            transaction {
              heads[thread].set(number)
              shared.set(number << 1 | thread)
            }
          case 1:
            transaction {
              shared.set(number << 1 | thread)
              heads[thread].set(number)
            }
          default:
            histories[thread].group {
              shared.set(number << 1 | thread)
              heads[thread].set(number)
            }
          }
        }
      }
      for (thread, history) in histories.enumerated() {
        var undone = 0
        while history.undo() {
          undone += 1
          #expect(tails[thread].value == heads[thread].value, "TIDINGS_SEED=\(seed)")
        }
        #expect(undone == 100 && heads[thread].value == 0, "TIDINGS_SEED=\(seed)")
      }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("A value that cannot be compared is no part of the steps of others")
  func incomparable() {
    struct Opaque: Sendable { let number: Int }
    let (opaque, count, notified) = (Observed(Opaque(number: 0)), Observed(0), Locked(0))
    let history = History(of: opaque, count)
    let token = opaque.observe { _ in notified.withLock { $0 += 1 } }
    count.set(0)
    #expect(!history.canUndo.value)
    count.set(1)
    #expect(history.undo() && count.value == 0 && !history.canUndo.value && notified.current == 0)
    opaque.set(Opaque(number: 1))
    #expect(history.undo() && opaque.value.number == 0 && !history.canUndo.value)
    withExtendedLifetime(token) {}
  }

  @Test("A value that is not equal to itself makes no steps of nothing")
  func notANumber() {
    let (ratio, count) = (Observed(Double.nan), Observed(0))
    let history = History(of: ratio, count)
    ratio.set(.nan)
    #expect(!history.canUndo.value)
    count.set(1)
    ratio.set(2)
    #expect(history.undo() && ratio.value.isNaN && history.undo() && count.value == 0 && !history.undo())
  }

  @Test("A change beside a NaN that stays NaN is a step")
  func changedBesideNotANumber() {
    struct Point: Sendable, Equatable {
      var x = Double.nan
      var name = "a"
    }
    let point = Observed(Point())
    let history = History(of: point)
    point.set(Point(name: "b"))
    #expect(history.undo() && point.value.name == "a" && !history.undo())
    #expect(history.redo() && point.value.name == "b")
  }
}
