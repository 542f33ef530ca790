import Testing
import Tidings
import TidingsTesting

@Suite("Streams", .timeLimit(.minutes(20)))
struct StreamsTests {
  @Test(
    "3. A stream receives every value emitted after it was made and none emitted before, also when an earlier one is being delivered."
  )
  func whatItReceives() async {
    let (event, streams) = (Event<Int>(), Recorder<EventStream<Int>>())
    event.emit(0)
    let early = event.stream()
    let token = event.observe { value in if value == 1 { streams(event.stream()) } }
    event.emit(contentsOf: 1...3)
    #expect(await early.available() == [1, 2, 3])
    #expect(await streams.values[0].available() == [2, 3])
    token.cancel()
  }

  @Test("6. Once `cancel()` has returned a stream gives nothing more, also nothing that it had buffered.")
  func nothingAfterCancel() async {
    for policy in [BufferingPolicy.unbounded, .newest(8), .oldest(8)] {
      let event = Event<Int>()
      let stream = event.stream(buffering: policy)
      var iterator = stream.makeAsyncIterator()
      event.emit(contentsOf: 1...5)
      #expect(await iterator.next() == 1)
      stream.subscription.cancel()
      #expect(await iterator.next() == nil, "of the batch that it had in its hand")
      event.emit(6)
      #expect(await iterator.next() == nil)
      #expect(await stream.available() == [], "nor to another consumer")
    }
  }

  @Test("6. A pause drops what waits and what comes, and a stream continues with what is emitted after `resume()`.")
  func paused() async {
    for policy in [BufferingPolicy.unbounded, .newest(8), .oldest(8)] {
      let event = Event<Int>()
      let stream = event.stream(buffering: policy)
      var iterator = stream.numbered.makeAsyncIterator()
      event.emit(contentsOf: 0...2)
      #expect(await iterator.next()! == (0, 0))
      stream.subscription.pause()
      event.emit(100)
      stream.subscription.resume()
      event.emit(contentsOf: 3...5)
      for expected in 3...5 { #expect(await iterator.next()! == (expected, expected), "\(policy)") }
      #expect(stream.droppedCount == 0, "what a pause drops was not wanted")
    }
  }

  @Test("7. When `finish()` has returned a stream gives nothing more, and a consumer that waited has reached the end.")
  func finished() async {
    let (event, reader) = (Event<Int>(), Reader<Int>())
    let stream = event.stream()
    await reader.follow(stream)
    event.emit(1)
    #expect(await reader.taken(atLeast: 1) == [1])
    await stream.subscription.finish()
    event.emit(2)
    await reader.finish()
    #expect(await reader.taken == [1])
  }

  @Test("12. A consumer takes values on its own actor, first in first out, whichever thread emits.")
  func onItsActor() async {
    let (event, reader) = (Event<Int>(), Reader<Int>())
    await reader.follow(event.stream())
    for value in 1...100 {
      if value.isMultiple(of: 2) { event.emit(value) } else { await Threads.elsewhere { event.emit(value) } }
      if value.isMultiple(of: 7) { #expect(await reader.taken(atLeast: value) == Array(1...value)) }
    }
    #expect(await reader.taken(atLeast: 100) == Array(1...100))
  }

  @Test("14. A stream receives for as long as it, a copy or an iterator is kept.")
  func kept() async {
    let event = Event<Int>()
    var stream: EventStream<Int>? = event.stream()
    var copy = stream
    stream = nil
    #expect(event.diagnostics.count == 1)
    var iterator = copy?.makeAsyncIterator()
    copy = nil
    #expect(event.diagnostics.count == 1)
    event.emit(1)
    #expect(await iterator?.next() == 1)
    iterator = nil
    #expect(event.diagnostics.count == 0)
  }

  @Test("15. A stream keeps neither its event nor a value that was taken, nor one that no consumer can take any more.")
  func letsGo() async {
    let canaries = Canaries()
    var event: Event<Canary>? = Event()
    weak let source = event
    let stream = event!.stream()
    event!.emit(canaries.make())
    event!.emit(canaries.make())
    var iterator: EventStream<Canary>.Iterator? = stream.makeAsyncIterator()
    #expect(canaries.alive == 2)
    _ = await iterator!.next()
    #expect(canaries.alive == 1)
    iterator = nil
    #expect(canaries.alive == 0, "the iterator took its buffer along")
    event!.emit(canaries.make())
    #expect(canaries.alive == 0, "no consumer is left that could take it")
    event = nil
    #expect(source == nil)
    #expect(await stream.available().isEmpty)
  }

  @Test(
    "16. A stream is subscribed from its creation, and ends when its event is deinitialized; the values that the event had accepted still arrive."
  )
  func ends() async {
    for policy in [BufferingPolicy.unbounded, .newest(8), .oldest(8)] {
      var event: Event<Int>? = Event()
      let stream = event!.stream(buffering: policy)
      event!.emit(1)
      event!.emit(2)
      event = nil
      #expect(await stream.all() == [1, 2])
      #expect(!stream.subscription.isActive)
      #expect(await stream.all() == [])
    }
    // One that sleeps is woken.
    var (event, reader): (Event<Int>?, _) = (Event(), Reader<Int>())
    await reader.follow(event!.stream())
    event = nil
    await reader.finish()
    #expect(await reader.taken == [])
  }

  @Test("18. The last value that was written is given last, under `.every` and `.latest`, whatever the threads do.")
  func theLastWrite() async {
    for values in [ValueStreaming.every, .latest] {
      for writers in 1...3 {
        for _ in 0..<100 {
          var (value, reader): (Observed<Int>?, _) = (Observed(0), Reader<Int>())
          await reader.follow(value!.stream(values))
          let last = write(value!, from: writers)
          // Without anything that happens afterwards.
          _ = await reader.taken { $0.last == last }
          value = nil
          await reader.finish()
          #expect(await reader.taken.last == last)
        }
      }
    }
  }

  @Test(
    "21. `stream(.latest)` of a `Derived` recomputes it when the consumer requests an element: writing recomputes nothing.",
    arguments: [true, false])
  func computedWhenAsked(isReadOnly: Bool) async {
    let (source, computations) = (Observed(0), Locked(0))
    let derived = Derived { () -> Int in
      computations.withLock { $0 += 1 }
      return source.value
    }
    let stream = isReadOnly ? ReadOnly(derived).stream(.latest) : derived.stream(.latest)
    var iterator = stream.makeAsyncIterator()
    for round in 0..<3 {
      #expect(computations.current == round)
      #expect(await iterator.next() == round * 100)
      for step in 1...100 { source.set(round * 100 + step) }
    }
    #expect(computations.current == 3)
    #expect(stream.droppedCount == 0)
  }

  /// The value that it has in the end.
  private func write(_ value: Observed<Int>, from threads: Int) -> Int {
    Threads.together(threads) { thread in for step in 1...20 { value.set(thread * 100 + step) } }
    return value.value
  }

  @Test("24. A buffered stream counts the values that it dropped, and numbers show where.")
  func missed() async {
    let event = Event<Int>()
    let (newest, oldest) = (event.stream(buffering: .newest(3)), event.stream(buffering: .oldest(3)))
    let everything = event.stream()
    var (late, early) = (newest.numbered.makeAsyncIterator(), oldest.numbered.makeAsyncIterator())
    event.emit(contentsOf: 10...16)
    #expect((newest.droppedCount, oldest.droppedCount, everything.droppedCount) == (4, 4, 0))
    #expect(await late.next()! == (4, 14))
    #expect(await early.next()! == (0, 10))
    event.emit(contentsOf: 17...18)
    #expect((newest.droppedCount, oldest.droppedCount) == (5, 5))
    #expect(await late.take(3) == [6: 16, 7: 17, 8: 18])
    #expect(await early.take(3) == [1: 11, 2: 12, 7: 17])
    event.emit(19)
    #expect(await late.take(1) == [9: 19])
    #expect(await early.take(1) == [9: 19])
    #expect(await everything.available() == Array(10...19))
  }
}

extension EventStream<Int>.Numbered.Iterator {
  fileprivate mutating func take(_ count: Int) async -> [Int: Int] {
    var taken: [Int: Int] = [:]
    for _ in 0..<count {
      if let (number, value) = await next() { taken[number] = value }
    }
    return taken
  }
}
