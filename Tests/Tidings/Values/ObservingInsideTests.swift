import TestSupport
import Testing
import Tidings
import TidingsTesting

/// Code that observes a derived value also notifies earlier handlers of pending changes, which other code has made.
@Suite("Observing inside transactions and closures")
struct ObservingInsideTests {
  private struct Fault: Error {}

  @Test("Earlier handlers, notified by code that observes in a transaction that throws, keep what they write")
  func inATransaction() {
    let (source, sum) = (Observed(0), Observed(0))
    let derived = Derived { source.value }
    let kept = Locked<[Subscription]>([])
    let tokens = [
      source.observe { _ in
        try? transaction {
          let token = derived.observe { _ in }
          kept.withLock { $0.append(token) }
          throw Fault()
        }
      },
      derived.observe { change in sum.update { $0 += change.new } },
    ]
    source.set(5)
    #expect(sum.value == 5)
    withExtendedLifetime(tokens) {}
  }

  @Test("Earlier handlers keep what they write also when another thread has made the change")
  func anothersChange() {
    let (source, sum) = (Observed(0), Observed(0))
    let (entered, proceed, done, computed) = (Gate(), Gate(), Gate(), Tally())
    let derived = Derived { () -> Int in
      let value = source.value
      if value == 5 {
        computed.add(1)
        if computed.total == 1 {
          entered.open()
          proceed.wait()
        }
      }
      return value
    }
    let token = derived.observe { change in sum.update { $0 += change.new } }
    Threads.start {
      source.set(5)
      done.open()
    }
    entered.wait()
    try? transaction {
      derived.observe { _ in }.cancel()
      throw Fault()
    }
    proceed.open()
    done.wait()
    #expect(sum.value == 5)
    token.cancel()
  }

  @Test("A cycle through a closure that observes is stopped like any other")
  func cycle() {
    let (source, rounds) = (Observed(0, maximumDepth: 40), Tally())
    let derived = Derived { source.value }
    let outer = Derived { () -> Int in
      derived.observe { _ in }.cancel()
      return source.value
    }
    let tokens = [
      outer.observe { _ in },
      derived.observe { change in
        rounds.add(1)
        if rounds.total < 30_000 { source.set(change.new + 1) }
      },
    ]
    source.set(1)
    #expect((20..<100).contains(rounds.total))
    withExtendedLifetime(tokens) {}
  }

  @Test("Earlier handlers, notified by a closure that observes, may set values")
  func inAClosure() {
    let (source, written) = (Observed(0), Observed(0))
    let derived = Derived { source.value }
    let kept = Locked<[Subscription]>([])
    let outer = Derived { () -> Int in
      let value = source.value
      if value == 5 {
        let token = derived.observe { _ in }
        kept.withLock { $0.append(token) }
      }
      return value
    }
    let tokens = [outer.observe { _ in }, derived.observe { written.set($0.new) }]
    source.set(5)
    #expect(written.value == 5)
    withExtendedLifetime(tokens) {}
  }
}
