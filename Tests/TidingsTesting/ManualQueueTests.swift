import Testing
import Tidings
import TidingsTesting

@Suite("Manual queues")
struct ManualQueueTests {
  @Test("Nothing runs until the test says so, then what has waited longest")
  func oneByOne() {
    let (event, received, queue) = (Event<Int>(), Recorder<String>(), ManualQueue())
    let tokens = ["a", "b"].map { name in event.observe(on: .manual(queue)) { received("\(name)\($0)") } }
    event.emit(1)
    event.emit(2)
    #expect(queue.count == 2)
    #expect(received.values == [])
    #expect(queue.runNext())
    #expect(received.values == ["a1", "a2"])
    #expect(queue.count == 1)
    #expect(queue.runNext())
    #expect(received.values == ["a1", "a2", "b1", "b2"])
    #expect(!queue.runNext())
    withExtendedLifetime(tokens) {}
  }

  @Test("runAll runs the jobs that come meanwhile too")
  func all() {
    let (event, queue) = (Event<Int>(), ManualQueue())
    let recording = event.record(on: .manual(queue))
    let echo = event.observe(on: .manual(queue)) { if $0 < 3 { event.emit($0 + 1) } }
    event.emit(1)
    #expect(queue.runAll() > 2)
    #expect(queue.count == 0)
    #expect(recording.values == [1, 2, 3])
    echo.cancel()
  }

  @Test("Jobs come from any thread, and none is lost")
  func threads() {
    let (event, queue) = (Event<Int>(), ManualQueue())
    let recordings = (0..<4).map { _ in event.record(on: .manual(queue)) }
    Threads.together(4) { thread in
      for value in 0..<100 { event.emit(thread * 100 + value) }
      queue.runAll()
    }
    queue.runAll()
    for recording in recordings {
      #expect(recording.values == recordings[0].values)
      #expect(recording.values.sorted() == Array(0..<400))
    }
  }
}
