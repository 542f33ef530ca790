import Testing
import Tidings
import TidingsTesting

extension GlitchFreeTests {
  @Test("observing looks")
  func observingLooks() {
    let (source, runs, received) = (Observed(0), Locked(0), ChangeRecorder<Int>())
    let value = Derived {
      runs.withLock { $0 += 1 }
      return source.value
    }
    let token = value.observe { received($0) }
    #expect(runs.current == 1, "from the moment of adding")
    source.set(1)
    #expect(runs.current == 2)
    let second = value.observe { received($0) }
    #expect(runs.current == 2)
    token.cancel()
    source.set(2)
    #expect(runs.current == 3)
    second.cancel()
    for number in 3...9 { source.set(number) }
    #expect(runs.current == 3, "it is not observed any more")
    #expect(value.value == 9 && runs.current == 4)
    #expect(received.changes == [.from(0, to: 1), .from(1, to: 2)])
  }

  @Test("one result is kept")
  func oneResultIsKept() {
    for _ in 0..<50 {
      let (source, runs) = (Observed(0), Locked(0))
      let value = Derived {
        runs.withLock { $0 += 1 }
        _ = source.value
        return Owner()
      }
      let seen = Recorder<Owner>()
      for round in 1...3 {
        source.set(round)
        Threads.together(3) { _ in seen(value.value) }
        let (kept, count) = (value.value, runs.current)
        #expect(count <= round * 3)
        #expect(value.value === kept)
        Threads.together(2) { _ in #expect(value.value === kept) }
        #expect(runs.current == count)
      }
      #expect(seen.values.count == 9)
    }
  }

  @Test("only when it differs")
  func onlyWhenItDiffers() {
    let source = Observed(1)
    let (isPositive, received) = (Derived { source.value > 0 }, ChangeRecorder<Bool>())
    let (runs, later) = (Locked(0), ChangeRecorder<String>())
    let text = Derived {
      runs.withLock { $0 += 1 }
      return isPositive.value ? "plus" : "minus"
    }
    let tokens = [isPositive.observe { received($0) }, text.observe { later($0) }]
    for value in [2, 3, 3, -1, -2, 5] { source.set(value) }
    #expect(received.changes == [.from(true, to: false), .from(false, to: true)])
    #expect(later.changes == [.from("plus", to: "minus"), .from("minus", to: "plus")])
    #expect(runs.current == 3, "nor is what depends on it computed")
    transaction {
      source.set(-1)
      source.set(1)
    }
    #expect(received.changes.count == 2 && runs.current == 3)
    withExtendedLifetime(tokens) {}
  }
}
