import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

@Suite("3, 21. The initial value of a derived value beside other threads")
struct InitialValueThreadsTests {
  /// The observing thread computes at the moment before the set of the other thread, which then computes `inner` for a later
  /// moment. So the first thread's result of `inner` is right for its own moment alone.
  @Test("is not older than the call, though another thread has computed a part of it for a later moment")
  func privateToAnEarlierMoment() {
    let (source, received) = (Observed(0), Recorder<Int>())
    let inner = Derived { source.value }
    let (isArmed, isRead) = (Locked(false), Gate())
    let outer = Derived { () -> Int in
      _ = source.value  // first: it has changed, so nothing else is looked at before the closure runs
      if isArmed.withLock({ $0 }) {
        isArmed.current = false
        Threads.elsewhere {
          source.set(2)
          _ = inner.value
          isRead.open()
        }
      }
      return inner.value
    }
    #expect(outer.value == 0)
    source.set(1)
    isArmed.current = true
    let token = outer.observe(.initial) { received($0.new) }
    #expect(isRead.isOpen)
    #expect(received.values == [1, 2])
    source.set(3)
    #expect(received.values == [1, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test("A value that read inputs of an earlier moment is revalidated at the next read")
  func validatedAfterwards() {
    let source = Observed(0)
    let inner = Derived { source.value % 2 }
    let (isArmed, runs) = (Locked(false), Tally())
    let sign = Derived { source.value.signum() }
    let outer = Derived { () -> Int in
      _ = sign.value
      runs.add(1)
      if isArmed.withLock({ $0 }) {
        isArmed.current = false
        Threads.elsewhere {
          source.set(2)
          _ = inner.value
        }
      }
      return inner.value
    }
    #expect(outer.value == 0)
    source.set(1)
    isArmed.current = true
    #expect(outer.value == 1, "that of the moment at which it was read")
    #expect(outer.value == 0)
    #expect(runs.total == 3)
    source.set(4)
    #expect(outer.value == 0)
    #expect(runs.total == 3, "its links name what it read")
    #if DEBUG
    #expect(outer.cell.brokenInvariants() == [])
    #endif
  }
}
