import Testing
import Tidings
import TidingsTesting

@Suite("Recordings")
struct RecordingTests {
  @Test("A recording receives from its creation until it is stopped")
  func span() {
    let event = Event<Int>()
    event.emit(0)
    let recording = event.record()
    event.emit(contentsOf: 1...3)
    recording.stop()
    event.emit(4)
    #expect(recording.values == [1, 2, 3])
    #expect(event.diagnostics.count == 0)
  }

  @Test("A recording that is deinitialized receives no more, wherever it was made")
  func dropping() {
    let (event, owner) = (Event<Int>(), Keeper())
    _ = event.record()
    _ = event.record(on: owner)
    #expect(event.diagnostics.count == 0)
  }

  @Test("A recording keeps no event alive")
  func keepsNoEvent() {
    var event: Event<Int>? = Event()
    weak let released = event
    let recording = event?.record()
    event = nil
    #expect(released == nil)
    #expect(recording?.values == [])
  }

  @Test("Values emitted by other threads are waited for, and come in order")
  func waiting() async {
    let event = Event<Int>()
    let recording = event.record()
    Threads.start { for value in 1...100 { event.emit(value) } }
    let received = await recording.values(atLeast: 100)
    #expect(received == Array(1...100))
  }

  @Test("No caller waits for an event that was deinitialized, nor for a recording that was stopped")
  func ends() async {
    var event: Event<Int>? = Event()
    let (recording, stopped) = (event!.record(), event!.map { $0 }.record())
    event?.emit(1)
    stopped.stop()
    let short = await stopped.values(atLeast: 2)
    #expect(short == [1])
    async let received = recording.values(atLeast: 2)
    event = nil
    #expect(await received == [1])
  }

  @Test("No caller waits in a task that was cancelled")
  func cancelling() async {
    let event = Event<Int>()
    let (recording, began) = (event.record(), Recorder<Void>())
    let task = Task {
      began(())
      return await recording.values(atLeast: 1)
    }
    _ = await began.values(atLeast: 1)
    task.cancel()
    #expect(await task.value == [])
    // The others wait on.
    async let other = recording.values(atLeast: 1)
    event.emit(5)
    #expect(await other == [5])
  }

  @Test("On an actor it receives there, and what was on the way is still delivered when the event is deinitialized")
  func onAnActor() async {
    let keeper = Keeper()
    let (own, main) = await keeper.run { _ in
      // The emit is not notified where it runs, so the value takes the way through the queue, and the event is released before.
      let event = Event<Int>()
      let recordings = (event.record(on: keeper), event.record(on: MainActor.shared))
      event.emit(1, isolation: nil)
      #expect(recordings.0.values == [])
      return recordings
    }
    #expect(await own.values(atLeast: 1) == [1])
    #expect(await main.values(atLeast: 1) == [1])
  }

  @Test("A recording's place is the line of the test")
  func place() {
    let event = Event<Int>()
    let (recording, line) = (event.record(), UInt(#line))
    #if DEBUG
    #expect(event.diagnostics.subscriptions.map(\.line) == [line])
    #endif
    recording.stop()
  }
}

private actor Keeper {
  func run<R: Sendable>(_ body: @Sendable (isolated Keeper) -> R) -> R { body(self) }
}
