import Testing
import Tidings
import TidingsTesting

// Tests sentence 22 with other threads: what they see of a transaction, and what they do during it.
extension TransactionTests {
  @Test("seen by its own thread alone")
  func seenByItsOwnThreadAlone() {
    for isWatched in [false, true] {
      let (a, b) = (Observed(0), Observed(0))
      let sum = Derived { a.value + b.value }
      let ten = Derived { sum.value * 10 }
      let (seen, received) = (Recorder<[Int]>(), Recorder<[Int]>())
      let all: @Sendable () -> [Int] = { [a.value, b.value, sum.value, ten.value, a.readOnly.value] }
      let note: @Sendable () -> Void = {
        received(all())
        #expect(Threads.elsewhere { received(all()) })
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
      #expect(received.values == Array(repeating: [1, 2, 3, 30, 1], count: isWatched ? 6 : 0))
      Threads.elsewhere { seen(all()) }
      #expect(seen.values.last == [1, 2, 3, 30, 1])
      withExtendedLifetime(tokens) {}
    }
  }

  /// Two threads move from one to the other; a third reads, and handlers do.
  @Test("no thread sees half")
  func noThreadSeesHalf() {
    for _ in 0..<20 {
      let (left, right, other) = (Observed(50), Observed(50), Observed(0))
      let (both, halves) = (Derived { [left.value, right.value] }, Recorder<String>())
      let check: @Sendable (String) -> Void = { reader in
        let numbers = both.value
        if numbers[0] + numbers[1] != 100 { halves("\(reader) \(numbers)") }
      }
      let chain = ChangeRecorder<[Int]>()
      let tokens = [
        left.observe { _ in check("left") }, right.observe { _ in check("right") },
        both.observe { change in
          chain(change)
          if change.new[0] + change.new[1] != 100 { halves("received \(change.new)") }
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
  }

  @Test("an update is applied again")
  func anUpdateIsAppliedAgain() {
    let (count, names, received, runs) = (Observed(0), Observed([1]), ChangeRecorder<Int>(), Recorder<Int>())
    let (sum, sums) = (Derived { count.value + names.value.count }, ChangeRecorder<Int>())
    let tokens = [count.observe { received($0) }, sum.observe { sums($0) }]
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
    #expect(received.changes == [.from(0, to: 10), .from(10, to: 22)])
    #expect(sums.isUnbroken(from: 1) && sums.newValues.last == 25)
    // On top of a `set` it is applied to what was set.
    transaction {
      count.set(5)
      count.update { $0 += 1 }
      Threads.elsewhere { count.set(100) }
    }
    #expect(count.value == 6 && received.changes.last == .from(100, to: 6))
    withExtendedLifetime(tokens) {}
  }

  @Test("no update is lost")
  func noUpdateIsLost() {
    for _ in 0..<20 {
      let (counts, received) = ([Observed(0), Observed(0)], ChangeRecorder<Int>())
      let token = counts[0].observe { received($0) }
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
      #expect(received.newValues == Array(1...200))
      token.cancel()
    }
  }

  @Test("the last to end wins")
  func theLastToEndWins() {
    let (a, b, received) = (Observed(0), Observed(0), ChangeRecorder<Int>())
    let token = a.observe { received($0) }
    transaction {
      a.set(1)
      Threads.elsewhere {
        transaction {
          a.set(2)
          b.set(2)
        }
      }
      #expect(a.value == 1)
      #expect(received.newValues == [2])
    }
    #expect(a.value == 1 && b.value == 2)
    #expect(received.changes == [.from(0, to: 2), .from(2, to: 1)])
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
    #expect(a.value == 8 && received.newValues == [2, 1, 9, 8])
    token.cancel()
  }
}
