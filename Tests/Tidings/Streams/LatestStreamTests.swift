import TestSupport
import Testing
import Tidings
import TidingsTesting

/// `stream(.latest)` of a derived value: computed when the loop asks.
@Suite("Streams of the latest derived value", .timeLimit(.minutes(20)))
struct LatestStreamTests {
  /// A derived value of `source`, and how often it was computed.
  private func derive(
    from source: Observed<Int>, _ transform: @escaping @Sendable (Int) -> Int = { $0 }
  ) -> (value: Derived<Int>, computations: Tally) {
    let computations = Tally()
    let value = Derived { () -> Int in
      computations.add(1)
      return transform(source.value)
    }
    return (value, computations)
  }

  @Test("A consumer that sleeps is woken by each invalidation, and sleeps on where the value comes out as it was")
  func invalidationWakes() async {
    let source = Observed(0)
    let (value, computations) = derive(from: source) { $0 / 10 }
    let reader = Reader<Int>()
    await reader.follow(value.stream(.latest))
    #expect(await reader.taken == [0])
    source.set(1)
    // After the job that takes the value.
    while computations.total < 2 { await Task.yield() }
    source.set(10)
    #expect(await reader.taken(atLeast: 2) == [0, 1])
    source.set(20)
    #expect(await reader.taken(atLeast: 3) == [0, 1, 2])
    await reader.cancel()
    await reader.finish()
  }

  @Test("18. The last value is given last, whichever threads write and read meanwhile", .slow)
  func theLastValue() async {
    for round in 0..<Runs.size(100, full: 300) {
      let (left, right) = (Observed(0), Observed(0))
      let sum = Derived { left.value + right.value }
      let twice = Derived { sum.value * 2 }
      let (one, other) = (Reader<Int>(), Reader<Int>())
      let stream = twice.stream(.latest)
      await one.follow(stream)
      await other.follow(round % 2 == 0 ? stream : twice.stream(.latest))
      await Threads.together(3) { thread in
        for step in 1...30 {
          switch thread {
          case 0: left.set(step * 1_000)
          case 1: transaction { right.update { $0 += 1 } }
          default: _ = round % 3 == 0 ? sum.value : twice.value
          }
        }
      }
      // Without anything that happens afterwards.
      let last = (30 * 1_000 + 30) * 2
      for reader in [one, other] {
        let taken = await reader.taken { $0.last == last }
        #expect(taken == taken.sorted(), "both sources only grow")
        await reader.cancel()
        await reader.finish()
        #expect(await reader.taken.last == last)
      }
    }
  }

  @Test("In a pause it gives and computes nothing; afterwards it gives the current value, if that differs")
  func pause() async {
    let source = Observed(0)
    let (value, computations) = derive(from: source)
    let (stream, reader) = (value.stream(.latest), Reader<Int>())
    await reader.follow(stream)
    stream.subscription.pause()
    for number in 1...3 { source.set(number) }
    #expect(computations.total == 1)
    stream.subscription.resume()
    #expect(await reader.taken(atLeast: 2) == [0, 3])
    stream.subscription.pause()
    stream.subscription.resume()
    source.set(4)
    #expect(await reader.taken(atLeast: 3) == [0, 3, 4])
    // The consumer waits again, and what changes from now on wakes it.
    source.set(5)
    #expect(await reader.taken(atLeast: 4) == [0, 3, 4, 5])
    await reader.cancel()
    await reader.finish()
  }

  @Test("Each consumer gets the newest value from its beginning on, and each invalidation is computed once for all")
  func consumers() async {
    let source = Observed(0)
    let (value, computations) = derive(from: source)
    let stream = value.stream(.latest)
    var first = stream.makeAsyncIterator()
    #expect(await first.next() == 0)
    var second = stream.makeAsyncIterator()
    source.set(1)
    source.set(2)
    #expect(await second.next() == 2)
    #expect(await first.next() == 2)
    #expect(computations.total == 2)
    var numbered = value.stream(.latest).numbered.makeAsyncIterator()
    #expect(await numbered.next()?.number == 0)
    source.set(3)
    let next = await numbered.next()
    #expect(next?.number == 1 && next?.value == 3)
  }

  @Test("A stream keeps what the closure captured until it is cancelled or released, and not longer")
  func lifetime() async {
    for isCancelled in [true, false] {
      let (canaries, source) = (Canaries(), Observed(0))
      var stream: EventStream<Int>? = Derived { [canary = canaries.make()] in
        canary.touch()
        return source.value
      }.stream(.latest)
      var iterator = stream!.makeAsyncIterator() as EventStream<Int>.Iterator?
      #expect(await iterator!.next() == 0)
      source.set(1)
      #expect(await iterator!.next() == 1)
      #expect(canaries.alive == 1)
      if isCancelled {
        stream!.subscription.cancel()
        // Closures that other tests run meanwhile may keep it until they end (15).
        #expect(await canaries.quiesce())
        #expect(await iterator!.next() == nil)
      }
      stream = nil
      iterator = nil
      #expect(await canaries.quiesce())
      source.set(2)
    }
  }

  @Test("A handler of the same value, a transaction and a computation that makes a stream change nothing of this")
  func beside() async {
    let source = Observed(0)
    let (value, computations) = derive(from: source)
    let received = Recorder<Int>()
    let token = value.observe { received($0.new) }
    var iterator = transaction { value.stream(.latest) }.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    transaction {
      source.set(1)
      source.set(2)
    }
    #expect(received.values == [2] && computations.total == 2)
    #expect(await iterator.next() == 2)
    #expect(computations.total == 2)
    token.cancel()
    let made = Recorder<EventStream<Int>>()
    let maker = Derived { () -> Int in
      made(value.stream(.latest))
      return source.value
    }
    #expect(maker.value == 2)
    source.set(3)
    #expect(await made.values[0].available() == [3])
  }
}
