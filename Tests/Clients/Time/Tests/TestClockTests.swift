import Testing
import TidingsTesting

@Suite(.timeLimit(.minutes(20)))
struct TestClockTests {
  @Test func `A sleeper wakes when its time has come, and not before`() async throws {
    let clock = TestClock()
    let woken = Recorder<Int>()
    let sleeper = Task {
      try await clock.sleep(for: .seconds(5))
      woken(1)
    }
    await clock.sleeper(until: 5)
    clock.advance(by: .seconds(4))
    #expect(clock.sleepers == 1)
    #expect(woken.values == [])
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 0)
    try await sleeper.value
    #expect(woken.values == [1])
  }

  @Test func `A sleeper whose task is cancelled wakes with an error, also one that was cancelled before`() async {
    let clock = TestClock()
    let late = Task { try await clock.sleep(for: .seconds(5)) }
    await clock.sleeper(until: 5)
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    let never = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(5))
    }
    await #expect(throws: CancellationError.self) { try await never.value }
    #expect(clock.sleepers == 0)
  }

  @Test func `A time that is over needs no sleep`() async throws {
    let clock = TestClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)), tolerance: nil)
    await clock.reading { #expect(clock.now.offset == .seconds(5)) }
  }
}
