import Testing
import Tidings
import TidingsTesting

@Suite("31. What operators over several subscriptions and sources do when a source has ended", .timeLimit(.minutes(20)))
struct EndedSourcesTests {
  @Test("`zip` ends when a source has ended and each of its values has been paired", arguments: [true, false])
  func zipEnds(firstEnds: Bool) {
    let (ending, going, received) = (Event<Int>(), Event<Int>(), Recorder<[Int]>())
    let pairs = firstEnds ? ending.zip(going) : going.zip(ending)
    let token = pairs.observe { received([$0.0, $0.1]) }
    ending.emit(contentsOf: [1, 2])
    going.emit(10)
    ending.finish()
    #expect(token.isActive && received.values.map { $0.sorted() } == [[1, 10]])
    going.emit(20)
    #expect(!token.isActive && received.values.map { $0.sorted() } == [[1, 10], [2, 20]])
    #expect(going.diagnostics.count == 0)
  }

  @Test("`zip` ends with a source that has no value left, also when the source is deinitialized")
  func zipEndsWithoutValues() {
    let going = Event<Int>()
    var ending: Event<Int>? = Event()
    let token = going.zip(ending!).observe { _ in }
    going.emit(1)
    ending!.emit(1)
    #expect(token.isActive)
    ending = nil
    #expect(!token.isActive && going.diagnostics.count == 0)
  }

  @Test("`zip` keeps no pair that it has delivered while one side stays ahead")
  func zipReleasesPairs() {
    let (canaries, ahead, behind) = (Canaries(), Event<Canary>(), Event<Int>())
    let token = ahead.zip(behind).observe { _ in }
    ahead.emit(canaries.make())
    for value in 0..<100 {
      ahead.emit(canaries.make())
      behind.emit(value)
      #expect(canaries.alive == 1)
    }
    token.cancel()
    #expect(canaries.alive == 0)
  }

  @Test("A subscription to `replay` that is made after its source has finished receives the last values and ends")
  func lateReplay() async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let recent = event.replay(2)
    event.emit(contentsOf: 1...3)
    event.finish()
    let token = recent.observe { received($0) }
    #expect(received.values == [2, 3])
    #expect(!token.isActive)
    #expect(await recent.stream().all() == [2, 3])
  }
}
