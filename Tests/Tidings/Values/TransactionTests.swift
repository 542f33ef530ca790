import Testing
import Tidings
import TidingsTesting

@Suite("Transactions")
struct TransactionTests {
  private struct Fault: Error, Equatable {}

  @Test("It gives the body's result, throws what the body throws, and may be empty")
  func results() {
    let value = Observed(1)
    let doubled = transaction { () -> Int in
      value.update { $0 += 1 }
      return value.value * 2
    }
    #expect(doubled == 4)
    transaction {}
    do throws(Fault) {
      try transaction { () throws(Fault) in throw Fault() }
      Issue.record("it threw")
    } catch {}
    #expect(value.value == 2)
  }

  @Test(
    "What is derived is right inside, immediately, and nothing of it stays when it throws", arguments: [false, true])
  func derivedInside(isWatched: Bool) {
    let (flag, a, b) = (Observed(true), Observed(1), Observed(2))
    let chosen = Derived { flag.value ? a.value : b.value }
    let text = Derived { "\(chosen.value)" }
    let received = Recorder<String>()
    let token = isWatched ? text.observe { received($0.new) } : nil
    #expect(text.value == "1")
    try? transaction {
      flag.set(false)
      #expect(text.value == "2")
      b.set(3)
      #expect(text.value == "3")
      throw Fault()
    }
    #expect(text.value == "1")
    b.set(4)
    #expect(text.value == "1" && received.values == [])
    transaction {
      flag.set(false)
      b.set(5)
    }
    #expect(text.value == "5" && received.values == (isWatched ? ["5"] : []))
    withExtendedLifetime(token) {}
  }

  @Test("Handlers added inside receive what is written, once")
  func observedInside() {
    let (value, received, initial) = (Observed(0), Recorder<Change<Int>>(), Recorder<Change<Int>>())
    let tokens = Locked<[Subscription]>([])
    transaction {
      value.set(1)
      tokens.withLock { $0 = [value.observe { received($0) }, value.observe(.initial) { initial($0) }] }
      value.set(2)
    }
    value.set(3)
    for notified in [received.values, initial.values] {
      #expect(notified.last?.new == 3)
      #expect(zip(notified, notified.dropFirst()).allSatisfy { $0.new == $1.old })
    }
    #expect(initial.values.first?.old == nil)
    tokens.current = []
  }

  @Test("A value that is released inside it is written all the same, and nothing leaks")
  func lifetime() async {
    let canaries = Canaries()
    let received = Recorder<Int>()
    transaction {
      var value: Observed<Canary>? = Observed(canaries.make())
      value?.set(canaries.make())
      let member = Derived { [value] in value.map { _ in 1 } ?? 0 }
      value?.update { $0 = canaries.make() }
      received(member.value)
      value = nil
    }
    #expect(received.values == [1])
    #expect(await canaries.quiesce())
  }

  @Test("One of many values is one delivery each, and what is derived from all is computed once")
  func many() {
    let values = (0..<500).map { Observed($0) }
    let (runs, received) = (Locked(0), Recorder<Int>())
    let sum = Derived {
      runs.withLock { $0 += 1 }
      return values.reduce(0) { $0 + $1.value }
    }
    let order = Recorder<Int>()
    let tokens = values.enumerated().map { index, value in value.observe { _ in order(index) } }
    let token = sum.observe { received($0.new) }
    transaction { for value in values.reversed() { value.update { $0 += 1 } } }
    #expect(order.values == Array((0..<500).reversed()))
    #expect(runs.current == 2 && received.values == [500 * 499 / 2 + 500])
    withExtendedLifetime((tokens, token)) {}
  }

  @Test(
    "An update that is done again, and reads what depends on it when another thread has written, is done a third time")
  func updateIsDoneAgainTwice() {
    let (value, calls, read) = (Observed(0), Tally(), Recorder<Int>())
    let twice = Derived { value.value * 2 }
    transaction {
      value.update { number in
        calls.add(1)
        if calls.total == 2 {
          #expect(Threads.elsewhere { value.set(20) })
          read(twice.value)
        }
        number += 1
      }
      #expect(Threads.elsewhere { value.set(10) })
    }
    #expect(value.value == 21 && calls.total == 3)
    // While it is done again, the value is what this transaction has made of it so far.
    #expect(read.values == [20])
  }

  @Test("Two that write the same values in opposite order both end")
  func opposite() {
    let (a, b) = (Observed(0), Observed(0))
    let ended = Threads.together(2) { thread in
      for _ in 0..<300 {
        transaction {
          (thread == 0 ? a : b).update { $0 += 1 }
          (thread == 0 ? b : a).update { $0 += 1 }
        }
      }
    }
    #expect(ended && a.value == 600 && b.value == 600)
  }
}
