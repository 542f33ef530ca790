import AsyncAlgorithms
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(20)))
struct DebounceTests {
  //       0    3    5    8   10
  // typed s    sw        .   swi, and the event is released
  // out                  sw  swi
  @Test func `Debounced, the last before each silence is given when it is over, and at the end immediately`() async {
    let clock = TestClock()
    var typed: Event<String>? = Event("field.typed")
    let search = Recorder<String>()
    let texts = typed!.stream()
    let searching = Task {
      for await text in texts.debounce(for: .seconds(5), clock: clock) { search(text) }
    }

    typed?.emit("s")
    await clock.sleeper(until: 5)
    clock.advance(by: .seconds(3))
    await clock.reading { typed?.emit("sw") }
    clock.advance(by: .seconds(2))
    await clock.sleeper(until: 8)
    #expect(search.values == [])
    clock.advance(by: .seconds(3))
    #expect(await search.values(atLeast: 1) == ["sw"])

    clock.advance(by: .seconds(2))
    typed?.emit("swi")
    await clock.sleeper(until: 15)
    typed = nil
    await searching.value
    #expect(search.values == ["sw", "swi"])
    #expect(clock.sleepers == 0)
    #expect(texts.droppedCount == 0)
  }

  @Test func `A burst without a pause gives its last value, once`() async {
    let clock = TestClock()
    let typed = Event<Int>("field.typed")
    let search = Recorder<Int>()
    let texts = typed.stream()
    let searching = Task {
      for await text in texts.debounce(for: .seconds(5), clock: clock) { search(text) }
    }
    typed.emit(0)
    await clock.sleeper(until: 5)
    for value in 1...20 {
      clock.advance(by: .seconds(4))
      await clock.sleeper(until: 4 * value + 1)
      await clock.reading { typed.emit(value) }
    }
    #expect(search.values == [])
    clock.advance(by: .seconds(5))
    #expect(await search.values(atLeast: 1) == [20])
    texts.subscription.cancel()
    await searching.value
    #expect(search.values == [20])
  }
}
