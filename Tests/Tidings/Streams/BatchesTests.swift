import Testing
import Tidings
import TidingsTesting

@Suite("Batches and drops of streams", .timeLimit(.minutes(20)))
struct BatchesTests {
  @Test("A batch is all that waits, at most as many as asked for, in order and nothing twice")
  func batches() async {
    let event = Event<Int>()
    for (buffering, limit, expected) in [
      (BufferingPolicy.unbounded, Int.max, [[1, 2, 3, 4, 5], [6]]), (.unbounded, 2, [[1, 2], [3, 4], [5, 6]]),
      (.newest(3), .max, [[3, 4, 5], [6]]), (.oldest(3), 2, [[1, 2], [3, 6]]), (.unbounded, 1, (1...6).map { [$0] }),
    ] {
      let stream = event.stream(buffering: buffering)
      var iterator = stream.batches(upTo: limit).makeAsyncIterator()
      event.emit(contentsOf: 1...5)
      var batches: [[Int]] = []
      if let first = await iterator.next() { batches.append(first) }
      event.emit(6)
      while batches.count < 10, batches.joined().last != 6, let next = await iterator.next() { batches.append(next) }
      #expect(batches == expected)
      stream.subscription.cancel()
      #expect(await iterator.next() == nil)
    }
  }

  @Test("Batches lose and repeat nothing while several threads emit")
  func acrossThreads() async {
    let event = Event<Int>()
    let stream = event.stream()
    let taking = Task {
      var all: [Int] = []
      for await batch in stream.batches(upTo: 7) {
        #expect(!batch.isEmpty && batch.count <= 7)
        all += batch
      }
      return all
    }
    let sent = Recorder<Int>()
    let token = event.observe { sent($0) }
    await Threads.together(3) { thread in for value in 0..<500 { event.emit(thread * 500 + value) } }
    event.finish()
    #expect(await taking.value == sent.values)
    token.cancel()
  }

  @Test("Values dropped by a pause or a cancellation are in no later batch")
  func pausing() async {
    let event = Event<Int>()
    let stream = event.stream()
    var iterator = stream.batches(upTo: 2).makeAsyncIterator()
    event.emit(contentsOf: 1...5)
    #expect(await iterator.next() == [1, 2])
    stream.subscription.pause()
    stream.subscription.resume()
    event.emit(6)
    #expect(await iterator.next() == [6])
  }

  @Test("24. What the streams of an event drop is summed in a value that can be observed")
  func drops() async {
    let (event, other, dropped, seen) = (Event<Int>(), Event<Int>(), Observed(0), Recorder<Int>())
    let watching = dropped.observe { seen($0.new) }
    let newest = event.stream(buffering: .newest(2), addingDropsTo: dropped)
    let oldest = event.stream(buffering: .oldest(1), addingDropsTo: dropped)
    let unbounded = other.stream(buffering: .unbounded, addingDropsTo: dropped)
    event.emit(contentsOf: 1...4)
    other.emit(contentsOf: 1...4)
    #expect((newest.droppedCount, oldest.droppedCount, unbounded.droppedCount) == (2, 3, 0))
    #expect(dropped.value == 5 && seen.values == [1, 2, 3, 4, 5])
    #expect(event.droppedCount == 5 && newest.subscription.droppedCount == 2)
    #expect(await newest.available() == [3, 4])
    watching.cancel()
  }
}
