import AsyncAlgorithms
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(20)))
struct ThrottleTests {
  //        0  3  6  12  15, and the event is released   22
  // traded 1  2  3  4   5
  // out    1        4                            5
  @Test func `Throttled, a value comes when the interval is over, and the last one at the end`() async {
    let clock = TestClock()
    var traded: Event<Int>? = Event("market.traded")
    let show = Recorder<Int>()
    let trades = traded!.stream()
    let showing = Task {
      for await trade in trades._throttle(for: .seconds(10), clock: clock) { show(trade) }
    }

    traded?.emit(1)
    #expect(await show.values(atLeast: 1) == [1])
    for (pause, trade) in [(3, 2), (3, 3), (6, 4)] {
      clock.advance(by: .seconds(pause))
      await clock.reading { traded?.emit(trade) }
    }
    #expect(await show.values(atLeast: 2) == [1, 4])
    clock.advance(by: .seconds(3))
    await clock.reading { traded?.emit(5) }
    traded = nil
    await clock.sleeper(until: 22)
    #expect(show.values == [1, 4])
    clock.advance(by: .seconds(7))
    await showing.value
    #expect(show.values == [1, 4, 5])
  }

  //       0  3  6  10  13   20
  // price 1  2  3      4
  // out   1        3        4
  @Test func `A consumer that sleeps between the latest values is throttled without further help`() async {
    let clock = TestClock()
    let price = Observed(1)
    let show = Recorder<Int>()
    let showing = Task {
      for await price in price.stream(.latest) {
        show(price)
        try await clock.sleep(for: .seconds(10))
      }
    }

    await clock.sleeper(until: 10)
    for value in [2, 3] {
      clock.advance(by: .seconds(3))
      price.set(value)
    }
    #expect(show.values == [1])
    clock.advance(by: .seconds(4))
    await clock.sleeper(until: 20)
    clock.advance(by: .seconds(3))
    price.set(4)
    #expect(show.values == [1, 3])
    clock.advance(by: .seconds(7))
    await clock.sleeper(until: 30)
    #expect(show.values == [1, 3, 4])
    showing.cancel()
    await #expect(throws: CancellationError.self) { try await showing.value }
  }
}
