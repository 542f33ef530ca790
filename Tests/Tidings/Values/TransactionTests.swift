import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("Transactions")
struct TransactionTests {
  private struct Fault: Error, Equatable {}

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

  @Test("A value that is released inside the transaction is still written, and nothing leaks")
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
}
