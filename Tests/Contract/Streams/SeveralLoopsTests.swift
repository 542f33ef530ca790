import Testing
import Tidings
import TidingsTesting

@Suite("24. Several loops over the forms of a stream", .timeLimit(.minutes(20)))
struct SeveralLoopsTests {
  @Test("Each loop over batches receives every value from its beginning, the first one also those before")
  func batches() async {
    let event = Event<Int>()
    let batches = event.stream().batches()
    event.emit(1)
    var first = batches.makeAsyncIterator()
    var second = batches.makeAsyncIterator()
    event.emit(contentsOf: 2...3)
    event.finish()
    #expect(await first.next() == [1, 2, 3])
    #expect(await second.next() == [2, 3])
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
  }

  @Test("Tasks that share batches while threads emit receive each what was emitted after they began, in order")
  func batchesOfSeveralTasks() async {
    let event = Event<Int>()
    let batches = event.stream().batches(upTo: 3)
    // Made before anything is emitted, so that each task receives everything.
    let tasks = (0..<3).map { _ in
      let joined = Gate()
      let task = Task {
        var iterator = batches.makeAsyncIterator()
        joined.open()
        var all: [Int] = []
        while let batch = await iterator.next() { all += batch }
        return all
      }
      return (joined, task)
    }
    for (joined, _) in tasks { await joined.wait() }
    let sent = Recorder<Int>()
    let token = event.observe { sent($0) }
    await Threads.together(2) { thread in for value in 0..<500 { event.emit(thread * 500 + value) } }
    event.finish()
    for (_, task) in tasks { #expect(await task.value == sent.values) }
    token.cancel()
  }

  @Test("A consumer that leaves takes nothing from those that stay, in any order of leaving")
  func leaving() async {
    for first in 0..<4 {
      for second in 0..<4 where second != first {
        for third in 0..<4 where third != first && third != second {
          let event = Event<Int>()
          let stream = event.stream()
          var consumers = (0..<4).map { _ in Optional(stream.makeAsyncIterator()) }
          for (value, leaver) in [first, second, third].enumerated() {
            event.emit(value)
            for index in consumers.indices where consumers[index] != nil {
              #expect(await consumers[index]?.next() == value)
            }
            consumers[leaver] = nil
          }
        }
      }
    }
  }

  @Test("A loop over a throwing stream that has thrown has ended, and another receives what is emitted after it began")
  func afterFailure() async throws {
    let event = Event<Result<Int, Oops>>()
    let stream = event.throwingStream()
    event.emit(.success(1))
    event.emit(.failure(Oops()))
    event.emit(.success(2))
    var first = stream.makeAsyncIterator()
    #expect(try await first.next() == 1)
    await #expect(throws: Oops.self) { try await first.next() }
    #expect(try await first.next() == nil)
    var others = [stream.makeAsyncIterator(), event.throwingStream().makeAsyncIterator()]
    event.emit(.success(3))
    event.finish()
    for index in others.indices {
      #expect(try await others[index].next() == 3)
      #expect(try await others[index].next() == nil)
    }
  }
}
