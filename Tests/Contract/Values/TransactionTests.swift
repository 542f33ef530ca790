import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  22. What a transaction changes is notified once, after the outermost transaction, as one change per value. Until \
  then its writes are seen by its own thread alone; then they appear together, so no handler of a value and no \
  reader elsewhere sees half of them. An `update` in it is applied again if its value moved meanwhile; of two \
  `set`s the transaction that ends last wins. Events emitted inside it are delivered immediately.
  """, .serialized)
struct TransactionTests {
  @Test("one change per value")
  func oneChangePerValue() {
    let (a, b, c) = (Observed(0), Observed(0), Observed(0))
    let (sum, runs, notified) = (Derived { a.value + b.value }, Locked(0), Recorder<String>())
    let counted = Derived {
      runs.withLock { $0 += 1 }
      return a.value * 10 + b.value
    }
    let tokens = [
      a.observe { notified("a \($0.old ?? -1) \($0.new)") }, b.observe { notified("b \($0.old ?? -1) \($0.new)") },
      c.observe { _ in notified("c") }, sum.observe { notified("sum \($0.old ?? -1) \($0.new)") },
      counted.observe { _ in },
    ]
    let result = transaction {
      b.set(1)
      a.update { $0 += 5 }
      b.set(2)
      b.update { $0 *= 10 }
      #expect(notified.values == [])
      return "\(a.value) \(b.value) \(c.value)"
    }
    #expect(result == "5 20 0")
    #expect(notified.values == ["b 0 20", "a 0 5", "sum 0 25"], "in the order of the first write")
    #expect(runs.current == 2)
    transaction { _ = a.value }
    #expect(notified.values.count == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("nested ones join")
  func nestedOnesJoin() {
    let (a, b, received, other) = (Observed(0), Observed(0), ChangeRecorder<Int>(), ChangeRecorder<Int>())
    let tokens = [a.observe { received($0) }, b.observe { other($0) }]
    transaction {
      a.set(1)
      transaction {
        a.set(2)
        transaction { b.set(a.value + 10) }
        #expect(b.value == 12)
      }
      #expect(received.changes.isEmpty && other.changes.isEmpty)
      #expect(a.value == 2)
      a.update { $0 += 1 }
    }
    #expect(received.changes == [.from(0, to: 3)])
    #expect(other.changes == [.from(0, to: 12)])
    withExtendedLifetime(tokens) {}
  }

  @Test("one that throws")
  func oneThatThrows() {
    let (a, b, notified) = (Observed(1), Observed(1), Recorder<String>())
    let sum = Derived { a.value + b.value }
    let tokens = [
      a.observe { _ in notified("a") }, b.willChange.observe { _ in notified("b") },
      sum.observe { _ in notified("sum") },
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
    #expect([a.value, b.value, sum.value] == [1, 1, 2] && notified.values == [])
    a.set(3)
    #expect(sum.value == 4 && notified.values == ["a", "sum"])
    withExtendedLifetime(tokens) {}
  }

  /// The writes from before the inner transaction remain.
  @Test("an inner one that throws")
  func anInnerOneThatThrows() {
    let (a, b, c, notified) = (Observed(0), Observed(0), Observed(0), Recorder<String>())
    let sum = Derived { a.value + b.value + c.value }
    let tokens = [
      a.observe { notified("a \($0.new)") }, b.observe { notified("b \($0.new)") },
      c.observe { notified("c \($0.new)") },
      sum.observe { notified("sum \($0.new)") },
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
    #expect(notified.values == ["a 1", "c 101", "sum 102"])
    withExtendedLifetime(tokens) {}
  }

  /// Their handlers run inside, see what the transaction has written and write as part of it.
  @Test("events are delivered immediately")
  func eventsAreDeliveredImmediately() {
    let (event, a, notified) = (Event<Int>(), Observed(0), Recorder<String>())
    let tokens = [
      event.observe { value in
        notified("event \(value), a is \(a.value)")
        a.update { $0 += 10 }
      },
      a.observe { notified("a \($0.old ?? -1) \($0.new)") },
    ]
    transaction {
      a.set(1)
      event.emit(1)
      event.emit(2)
      #expect(notified.values == ["event 1, a is 1", "event 2, a is 11"])
    }
    #expect(notified.values.dropFirst(2) == ["a 0 21"])
    #expect(throws: Oops()) {
      try transaction {
        event.emit(3)
        throw Oops()
      }
    }
    #expect(notified.values.dropFirst(3) == ["event 3, a is 21"])
    #expect(a.value == 21)
    withExtendedLifetime(tokens) {}
  }

  /// Values that handlers write while a transaction is notified come after it. A transaction in a handler is separate.
  @Test("in handlers")
  func inHandlers() {
    let (a, b, c) = (Observed(0), Observed(0), Observed(0))
    let (sum, sums, notified) = (Derived { b.value + c.value }, ChangeRecorder<Int>(), Recorder<String>())
    let tokens = [
      a.observe { change in
        notified("a")
        let count = notified.values.count
        transaction {
          b.set(change.new)
          c.set(-change.new)
          #expect(notified.values.count == count)
        }
      },
      b.observe { _ in notified("b") }, c.observe { _ in notified("c") }, sum.observe { sums($0) },
    ]
    a.set(1)
    #expect(notified.values == ["a", "b", "c"])
    transaction { a.set(2) }
    #expect(notified.values == ["a", "b", "c", "a", "b", "c"])
    #expect(sums.changes.isEmpty, "never half")
    withExtendedLifetime(tokens) {}
  }

  @Test("on an actor")
  func onAnActor() async {
    let (a, b, actor, received) = (Observed(0), Observed(0), TestActor(), Recorder<[Int]>())
    let sum = Derived { a.value + b.value }
    sum.observe(with: actor) { actor, change in
      #expect(actor.isHere)
      received([a.value, b.value, change.new])
    }
    await actor.run { actor in
      transaction(isolation: actor) {
        a.set(1, isolation: actor)
        b.set(2, isolation: actor)
        #expect(received.values.isEmpty)
      }
      #expect(received.values == [[1, 2, 3]], "in place")
    }
    transaction {
      a.set(2)
      b.set(3)
    }
    #expect(await received.values(atLeast: 2).last == [2, 3, 5])
  }
}
