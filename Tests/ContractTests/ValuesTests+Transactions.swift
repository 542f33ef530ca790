import Testing
import Tidings
import TidingsTesting

extension ValuesTests {
  @Test(
    """
    22. What a transaction changes is told once, after the outermost transaction, as one change per value. Until then \
    its writes are seen by its own thread alone; then they appear together, so no handler of a value and no reader \
    elsewhere sees half of them. An `update` in it is applied again if its value moved meanwhile; of two `set`s the \
    transaction that ends last wins. Events emitted inside it are delivered at once.
    """)
  func aTransactionIsToldOnce() async {
    oneChangePerValue()
    nestedOnesJoin()
    seenByItsOwnThreadAlone()
    for _ in 0..<20 { nobodySeesHalf() }
    oneThatThrows()
    anInnerOneThatThrows()
    anUpdateIsAppliedAgain()
    for _ in 0..<20 { noUpdateIsLost() }
    theLastToEndWins()
    eventsAreDeliveredAtOnce()
    inHandlers()
    await onTheMainActor()
    await onAnActor()
  }

  private func oneChangePerValue() {
    let (a, b, c) = (Observed(0), Observed(0), Observed(0))
    let (sum, runs, told) = (Derived { a.value + b.value }, Locked(0), Recorder<String>())
    let counted = Derived {
      runs.withLock { $0 += 1 }
      return a.value * 10 + b.value
    }
    let tokens = [
      a.observe { told("a \($0.old ?? -1) \($0.new)") }, b.observe { told("b \($0.old ?? -1) \($0.new)") },
      c.observe { _ in told("c") }, sum.observe { told("sum \($0.old ?? -1) \($0.new)") }, counted.observe { _ in },
    ]
    let result = transaction {
      b.set(1)
      a.update { $0 += 5 }
      b.set(2)
      b.update { $0 *= 10 }
      #expect(told.values == [])
      return "\(a.value) \(b.value) \(c.value)"
    }
    #expect(result == "5 20 0")
    #expect(told.values == ["b 0 20", "a 0 5", "sum 0 25"], "in the order of the first write")
    #expect(runs.current == 2)
    transaction { _ = a.value }
    #expect(told.values.count == 3)
    withExtendedLifetime(tokens) {}
  }

  private func nestedOnesJoin() {
    let (a, b, heard, other) = (Observed(0), Observed(0), Heard<Int>(), Heard<Int>())
    let tokens = [a.observe { heard($0) }, b.observe { other($0) }]
    transaction {
      a.set(1)
      transaction {
        a.set(2)
        transaction { b.set(a.value + 10) }
        #expect(b.value == 12)
      }
      #expect(heard.changes.isEmpty && other.changes.isEmpty)
      #expect(a.value == 2)
      a.update { $0 += 1 }
    }
    #expect(heard.changes == [.from(0, to: 3)])
    #expect(other.changes == [.from(0, to: 12)])
    withExtendedLifetime(tokens) {}
  }

  private func seenByItsOwnThreadAlone() {
    for isWatched in [false, true] {
      let (a, b) = (Observed(0), Observed(0))
      let sum = Derived { a.value + b.value }
      let ten = Derived { sum.value * 10 }
      let (seen, heard) = (Recorder<[Int]>(), Recorder<[Int]>())
      let all: @Sendable () -> [Int] = { [a.value, b.value, sum.value, ten.value, a.readOnly.value] }
      let note: @Sendable () -> Void = {
        heard(all())
        #expect(Threads.elsewhere { heard(all()) })
      }
      let tokens =
        isWatched ? [a.observe { _ in note() }, b.observe { _ in note() }, ten.observe { _ in note() }] : []
      transaction {
        a.set(1)
        #expect(all() == [1, 0, 1, 10, 1])
        Threads.elsewhere { seen(all()) }
        b.set(2)
        #expect(all() == [1, 2, 3, 30, 1])
        Threads.elsewhere {
          seen(all())
          a.observe(.initial) { seen([$0.new]) }.cancel()
          ten.observe(.initial) { seen([$0.new]) }.cancel()
        }
      }
      #expect(seen.values == [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0], [0]])
      #expect(heard.values == Array(repeating: [1, 2, 3, 30, 1], count: isWatched ? 6 : 0))
      Threads.elsewhere { seen(all()) }
      #expect(seen.values.last == [1, 2, 3, 30, 1])
      withExtendedLifetime(tokens) {}
    }
  }

  /// Two threads move from one to the other; a third reads, and handlers do.
  private func nobodySeesHalf() {
    let (left, right, other) = (Observed(50), Observed(50), Observed(0))
    let (both, halves) = (Derived { [left.value, right.value] }, Recorder<String>())
    let check: @Sendable (String) -> Void = { who in
      let numbers = both.value
      if numbers[0] + numbers[1] != 100 { halves("\(who) \(numbers)") }
    }
    let chain = Heard<[Int]>()
    let tokens = [
      left.observe { _ in check("left") }, right.observe { _ in check("right") },
      both.observe { change in
        chain(change)
        if change.new[0] + change.new[1] != 100 { halves("told \(change.new)") }
      },
    ]
    Threads.together(3) { thread in
      for number in 1...100 {
        if thread == 2 {
          check("a reader")
          transaction {
            other.set(number)
            check("a reader in a transaction")
          }
        } else {
          transaction {
            left.update { $0 += thread == 0 ? number : -number }
            right.update { $0 -= thread == 0 ? number : -number }
          }
        }
      }
    }
    #expect(halves.values == [])
    #expect(left.value == 50 && right.value == 50)
    #expect(chain.isUnbroken(from: [50, 50]) && both.value == [50, 50])
    withExtendedLifetime(tokens) {}
  }

  private func oneThatThrows() {
    let (a, b, told) = (Observed(1), Observed(1), Recorder<String>())
    let sum = Derived { a.value + b.value }
    let tokens = [
      a.observe { _ in told("a") }, b.willChange.observe { _ in told("b") }, sum.observe { _ in told("sum") },
    ]
    do throws(Oops) {
      try transaction { () throws(Oops) in
        a.set(2)
        b.update { $0 += 1 }
        transaction { a.set(7) }
        #expect(sum.value == 9)
        throw Oops(value: 4)
      }
      Issue.record("it threw")
    } catch {
      #expect(error.value == 4)
    }
    #expect([a.value, b.value, sum.value] == [1, 1, 2] && told.values == [])
    a.set(3)
    #expect(sum.value == 4 && told.values == ["a", "sum"])
    withExtendedLifetime(tokens) {}
  }

  /// What was written before it began stands.
  private func anInnerOneThatThrows() {
    let (a, b, c, told) = (Observed(0), Observed(0), Observed(0), Recorder<String>())
    let sum = Derived { a.value + b.value + c.value }
    let tokens = [
      a.observe { told("a \($0.new)") }, b.observe { told("b \($0.new)") }, c.observe { told("c \($0.new)") },
      sum.observe { told("sum \($0.new)") },
    ]
    transaction {
      a.set(1)
      c.update { $0 += 1 }
      try? transaction {
        a.set(2)
        b.set(2)
        c.update { $0 += 10 }
        try? transaction {
          b.set(3)
          throw Oops()
        }
        #expect([a.value, b.value, c.value, sum.value] == [2, 2, 11, 15])
        throw Oops()
      }
      #expect([a.value, b.value, c.value, sum.value] == [1, 0, 1, 2])
      c.update { $0 += 100 }
    }
    #expect([a.value, b.value, c.value, sum.value] == [1, 0, 101, 102])
    #expect(told.values == ["a 1", "c 101", "sum 102"])
    withExtendedLifetime(tokens) {}
  }

  private func anUpdateIsAppliedAgain() {
    let (count, names, heard, runs) = (Observed(0), Observed([1]), Heard<Int>(), Recorder<Int>())
    let (sum, sums) = (Derived { count.value + names.value.count }, Heard<Int>())
    let tokens = [count.observe { heard($0) }, sum.observe { sums($0) }]
    transaction {
      count.update { value in
        runs(value)
        value += 1
      }
      names.update { $0.append(2) }
      count.update { $0 *= 2 }
      #expect(count.value == 2)
      Threads.elsewhere {
        count.set(10)
        names.update { $0.append(3) }
      }
      #expect(count.value == 2, "its own writes upon what was there")
    }
    #expect(count.value == 22, "one more, and twice that")
    #expect(names.value == [1, 3, 2])
    #expect(runs.values == [0, 10])
    #expect(heard.changes == [.from(0, to: 10), .from(10, to: 22)])
    #expect(sums.isUnbroken(from: 1) && sums.news.last == 25)
    // On top of a `set` it is applied to what was set.
    transaction {
      count.set(5)
      count.update { $0 += 1 }
      Threads.elsewhere { count.set(100) }
    }
    #expect(count.value == 6 && heard.changes.last == .from(100, to: 6))
    withExtendedLifetime(tokens) {}
  }

  private func noUpdateIsLost() {
    let (counts, heard) = ([Observed(0), Observed(0)], Heard<Int>())
    let token = counts[0].observe { heard($0) }
    Threads.together(4) { thread in
      for _ in 0..<50 {
        transaction {
          counts[thread % 2].update { $0 += 1 }
          counts[1 - thread % 2].update { $0 += 1 }
        }
        counts[1].update { $0 += 1 }
      }
    }
    #expect(counts.map(\.value) == [200, 400])
    #expect(heard.news == Array(1...200))
    token.cancel()
  }

  private func theLastToEndWins() {
    let (a, b, heard) = (Observed(0), Observed(0), Heard<Int>())
    let token = a.observe { heard($0) }
    transaction {
      a.set(1)
      Threads.elsewhere {
        transaction {
          a.set(2)
          b.set(2)
        }
      }
      #expect(a.value == 1)
      #expect(heard.news == [2])
    }
    #expect(a.value == 1 && b.value == 2)
    #expect(heard.changes == [.from(0, to: 2), .from(2, to: 1)])
    // The same two that end the other way round.
    let (begun, ended, first) = (Gate(), Gate(), Gate())
    Threads.start {
      transaction {
        a.set(8)
        begun.open()
        first.wait()
      }
      ended.open()
    }
    begun.wait()
    transaction { a.set(9) }
    first.open()
    ended.wait()
    #expect(a.value == 8 && heard.news == [2, 1, 9, 8])
    token.cancel()
  }

  /// Their handlers run inside, see what the transaction has written and write as part of it.
  private func eventsAreDeliveredAtOnce() {
    let (event, a, told) = (Event<Int>(), Observed(0), Recorder<String>())
    let tokens = [
      event.observe { value in
        told("event \(value), a is \(a.value)")
        a.update { $0 += 10 }
      },
      a.observe { told("a \($0.old ?? -1) \($0.new)") },
    ]
    transaction {
      a.set(1)
      event.emit(1)
      event.emit(2)
      #expect(told.values == ["event 1, a is 1", "event 2, a is 11"])
    }
    #expect(told.values.dropFirst(2) == ["a 0 21"])
    #expect(throws: Oops()) {
      try transaction {
        event.emit(3)
        throw Oops()
      }
    }
    #expect(told.values.dropFirst(3) == ["event 3, a is 21"])
    #expect(a.value == 21)
    withExtendedLifetime(tokens) {}
  }

  /// What handlers write while a transaction is told comes after it, and a transaction of theirs is one of its own.
  private func inHandlers() {
    let (a, b, c) = (Observed(0), Observed(0), Observed(0))
    let (sum, sums, told) = (Derived { b.value + c.value }, Heard<Int>(), Recorder<String>())
    let tokens = [
      a.observe { change in
        told("a")
        let count = told.values.count
        transaction {
          b.set(change.new)
          c.set(-change.new)
          #expect(told.values.count == count)
        }
      },
      b.observe { _ in told("b") }, c.observe { _ in told("c") }, sum.observe { sums($0) },
    ]
    a.set(1)
    #expect(told.values == ["a", "b", "c"])
    transaction { a.set(2) }
    #expect(told.values == ["a", "b", "c", "a", "b", "c"])
    #expect(sums.changes.isEmpty, "never half")
    withExtendedLifetime(tokens) {}
  }

  @MainActor
  private func onTheMainActor() async {
    let (a, b, screen) = (Observed(0), Observed(0), Screen())
    let sum = Derived { a.value + b.value }
    let tokens = [
      a.observe { screen.shown.append("a \($0.new)") }, b.observe { screen.shown.append("b \($0.new)") },
      sum.observe { change in
        MainActor.preconditionIsolated()
        screen.shown.append("sum \(change.new)")
      },
    ]
    transaction {
      b.set(2)
      a.set(1)
      #expect(screen.shown == [])
    }
    #expect(screen.shown == ["b 2", "a 1", "sum 3"], "in place")
    withExtendedLifetime(tokens) {}
  }

  private func onAnActor() async {
    let (a, b, desk, heard) = (Observed(0), Observed(0), Desk(), Recorder<[Int]>())
    let sum = Derived { a.value + b.value }
    sum.observe(with: desk) { desk, change in
      #expect(desk.isHere)
      heard([a.value, b.value, change.new])
    }
    await desk.run { desk in
      transaction(isolation: desk) {
        a.set(1, isolation: desk)
        b.set(2, isolation: desk)
        #expect(heard.values.isEmpty)
      }
      #expect(heard.values == [[1, 2, 3]], "in place")
    }
    transaction {
      a.set(2)
      b.set(3)
    }
    #expect(await heard.values(atLeast: 2).last == [2, 3, 5])
  }
}

@MainActor
private final class Screen {
  var shown: [String] = []
}
