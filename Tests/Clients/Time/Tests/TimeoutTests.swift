import AsyncAlgorithms
import Testing
import Tidings
import TidingsTesting

/// An event that says when a handler has begun to receive it.
private struct PostedEvent<Payload: Sendable>: EventSource {
  let event = Event<Payload>()
  let attached = Recorder<Int>()
  func attach(_ handler: EventHandler<Payload>) -> Subscription {
    defer { attached(event.diagnostics.subscriptions.count) }
    return event.attach(handler)
  }
}

@Suite(.timeLimit(.minutes(20)))
struct TimeoutTests {
  @Test func `What comes in time is given, and no task sleeps any more`() async {
    let clock = TestClock()
    let traded = PostedEvent<Int>()
    async let trade = within(.seconds(10), clock: clock) { await traded.next() }
    _ = await traded.attached.values(atLeast: 1)
    await clock.sleeper(until: 10)
    clock.advance(by: .seconds(9))
    traded.event.emit(7)
    #expect(await trade == 7)
    #expect(clock.sleepers == 0)
    #expect(traded.event.diagnostics.subscriptions.isEmpty)
  }

  @Test func `When the time is over there is none, and no handler receives any more`() async {
    let clock = TestClock()
    let traded = Event<Int>("market.traded")
    let passing = Task {
      await clock.sleeper(until: 10)
      clock.advance(by: .seconds(10))
    }
    let trade = await within(.seconds(10), clock: clock) { await traded.next() }
    #expect(trade == nil)
    #expect(traded.diagnostics.subscriptions.isEmpty)
    await passing.value
  }

  @Test func `What does not satisfy does not count, nor what comes too late`() async {
    let clock = TestClock()
    let traded = PostedEvent<Int>()
    async let dear = within(.seconds(10), clock: clock) { await traded.first { $0 > 1_000 } }
    _ = await traded.attached.values(atLeast: 1)
    await clock.sleeper(until: 10)
    traded.event.emit(999)
    clock.advance(by: .seconds(10))
    #expect(await dear == nil)
    traded.event.emit(1_001)
    #expect(traded.event.diagnostics.subscriptions.isEmpty)
  }

  @Test func `The first that satisfies is given in time`() async {
    let clock = TestClock()
    let traded = PostedEvent<Int>()
    async let dear = within(.seconds(10), clock: clock) { await traded.first { $0 > 1_000 } }
    _ = await traded.attached.values(atLeast: 1)
    for trade in [999, 1_000, 1_001, 1_002] { traded.event.emit(trade) }
    #expect(await dear == 1_001)
    #expect(clock.sleepers == 0)
  }

  @Test func `A stream whose subscription is cancelled when the time is over ends then`() async {
    let clock = TestClock()
    let traded = Event<Int>("market.traded")
    let show = Recorder<Int>()
    let trades = traded.stream()
    let closing = Task {
      try await clock.sleep(for: .seconds(10))
      trades.subscription.cancel()
    }
    let reading = Task {
      for await trade in trades { show(trade) }
    }
    await clock.sleeper(until: 10)
    traded.emit(1)
    clock.advance(by: .seconds(9))
    traded.emit(2)
    #expect(await show.values(atLeast: 2) == [1, 2])
    clock.advance(by: .seconds(1))
    await reading.value
    traded.emit(3)
    #expect(show.values == [1, 2])
    await #expect(throws: Never.self) { try await closing.value }
  }

  private enum Activity {
    case trade(Int)
    case silence
  }

  //        0  4  13  23
  // traded 1  2  3
  // out    1  2  3   the end
  @Test func `Debounced beside itself, a stream ends when nothing has come for a while`() async {
    let clock = TestClock()
    let traded = Event<Int>("market.traded")
    let show = Recorder<Int>()
    let trades = traded.stream().map { Activity.trade($0) }
    let silences = traded.stream().debounce(for: .seconds(10), clock: clock).map { _ in Activity.silence }
    let reading = Task {
      for await next in merge(trades, silences) {
        guard case .trade(let trade) = next else { break }
        show(trade)
      }
    }
    traded.emit(1)
    await clock.sleeper(until: 10)
    #expect(await show.values(atLeast: 1) == [1])
    clock.advance(by: .seconds(4))
    await clock.reading { traded.emit(2) }
    #expect(await show.values(atLeast: 2) == [1, 2])
    clock.advance(by: .seconds(6))
    await clock.sleeper(until: 14)
    clock.advance(by: .seconds(3))
    await clock.reading { traded.emit(3) }
    #expect(await show.values(atLeast: 3) == [1, 2, 3])
    clock.advance(by: .seconds(1))
    await clock.sleeper(until: 23)
    clock.advance(by: .seconds(9))
    await reading.value
    #expect(show.values == [1, 2, 3])
  }
}
