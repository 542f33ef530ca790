#if os(Linux) || os(macOS)
import Testing
import Tidings
import TidingsTesting

/// Each test runs in its own process. The library creates its one-time state in the middle of the first operation. The order in a
/// release build differs from that in a debug build.
@Suite("The first act of a process")
struct FirstActTests {
  @Test("A derived value may be read that reads another, before anything was written")
  func nestedRead() async {
    await #expect(processExitsWith: .success) {
      let (source, inner, outer) = threeValues()
      precondition(Derived { outer.value + inner.value }.value == 22)
      source.set(2)
      precondition(outer.value == 30)
    }
  }

  @Test("A derived value may be made and read in the closure of another")
  func madeInside() async {
    await #expect(processExitsWith: .success) {
      precondition(Derived { Derived { Derived { 1 }.value + 1 }.value + 1 }.value == 3)
    }
  }

  @Test("A derived value may be observed")
  func observed() async {
    await #expect(processExitsWith: .success) {
      let source = Observed(1)
      let received = Recorder<Int>()
      let token = Derived { Derived { source.value }.value * 2 }.observe(.initial) { received($0.new) }
      source.set(2)
      precondition(received.values == [2, 4])
      token.cancel()
    }
  }

  @Test("A transaction may read what is derived from what it wrote")
  func transacted() async {
    await #expect(processExitsWith: .success) {
      let (source, _, outer) = threeValues()
      transaction {
        source.set(2)
        precondition(outer.value == 30)
      }
      precondition(outer.value == 30)
    }
  }

  @Test("Threads may read together")
  func together() async {
    await #expect(processExitsWith: .success) {
      let (source, _, outer) = threeValues()
      Threads.together(4) { thread in
        if thread == 3 { source.update { $0 += 0 } }
        precondition(outer.value == 20)
      }
    }
  }
}

/// One, one more, and ten times that.
private func threeValues() -> (source: Observed<Int>, inner: Derived<Int>, outer: Derived<Int>) {
  let source = Observed(1)
  let inner = Derived { source.value + 1 }
  return (source, inner, Derived { inner.value * 10 })
}
#endif
