import Testing
import Tidings
import TidingsTesting

@Suite("EventStream", .timeLimit(.minutes(20)))
struct EventStreamTests {
  @Test("each iterator gets everything from its making on, the first also what came before")
  func severalConsumers() async {
    let event = Event<Int>()
    let stream = event.stream()
    event.emit(1)
    var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
    event.emit(2)
    let third = Reader<Int>()
    await third.follow(stream)
    #expect(await third.taken == [])
    event.emit(3)
    for expected in 1...3 { #expect(await first.next() == expected) }
    for expected in 2...3 { #expect(await second.next() == expected) }
    #expect(await third.taken(atLeast: 1) == [3])
    await third.cancel()
  }

  @Test("an unbounded stream takes a burst of any size, in order, and again after it was emptied")
  func bursts() async {
    let event = Event<[Int]>()
    var iterator = event.stream().makeAsyncIterator()
    var number = 0
    for size in [1, 3, 4, 5, 100, 1, 10_000, 2, 7] {
      for step in 0..<size { event.emit([number + step]) }
      for _ in 0..<size {
        #expect(await iterator.next() == [number])
        number += 1
      }
    }
  }

  @Test("payloads of every shape pass: none, large, with references, of odd alignment")
  func shapes() async {
    struct Large: Equatable { var (a, b, c, d, e) = (1, 2.0, "three", [4], UInt8(5)) }
    func passes<Payload: Sendable & Equatable>(_ payloads: [Payload]) async -> Bool {
      for policy in [BufferingPolicy.unbounded, .newest(3), .oldest(3)] {
        let event = Event<Payload>()
        var iterator = event.stream(buffering: policy).makeAsyncIterator()
        for payload in payloads {
          event.emit(payload)
          guard await iterator.next() == payload else { return false }
        }
        event.emit(contentsOf: payloads.prefix(3))
        for payload in payloads.prefix(3) {
          guard await iterator.next() == payload else { return false }
        }
      }
      return true
    }
    #expect(await passes([Large(), Large(), Large(), Large()]))
    #expect(await passes([UInt8(1), 2, 3, 4, 5]))
    #expect(await passes([nil, "text that is longer than fifteen bytes", nil, ""] as [String?]))
    #expect(await passes([SIMD4<Float>(repeating: 1), SIMD4(repeating: 2)]))
    let event = Event<Void>()
    let stream = event.stream(buffering: .newest(2))
    for _ in 0..<5 { event.emit() }
    #expect(await stream.available().count == 2)
    #expect(stream.droppedCount == 3)
  }

  @Test("operators, merges and values have streams like an event")
  func ofEverySource() async {
    let (event, other, value) = (Event<Int>(), Event<Int>(), Observed(1))
    let even = event.filter { $0.isMultiple(of: 2) }.map { "\($0)" }.stream()
    let both = event.merge(other).stream(buffering: .newest(2))
    let changes = value.stream()
    let doubled = Derived { value.value * 2 }.stream(.every)
    event.emit(contentsOf: 1...4)
    other.emit(5)
    value.set(2)
    #expect(await even.available() == ["2", "4"])
    #expect(await both.available() == [4, 5])
    #expect(both.droppedCount == 3)
    #expect(await changes.available().map(\.new) == [2])
    #expect(await doubled.available() == [2, 4])
  }

  @Test("a stream of a value begins with the value of the moment; `.latest` passes over what it had meanwhile")
  func ofAValue() async {
    let value = Observed(1)
    let (every, latest) = (value.stream(.every), value.stream(.latest))
    var iterator = latest.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    for next in 2...5 { value.set(next) }
    #expect(await iterator.next() == 5)
    #expect(await every.available() == [1, 2, 3, 4, 5])
    #expect(latest.droppedCount == 3)
  }

  @Test(
    "a value that is emitted by the consumer itself, or by the end of one that was dropped, is received like any other")
  func reentrant() async {
    final class Last: Sendable {
      let event: Event<Int>
      init(_ event: Event<Int>) { self.event = event }
      deinit { event.emit(1) }
    }
    let (numbers, lasts) = (Event<Int>(), Event<Last>())
    let (stream, dropping) = (numbers.stream(), lasts.stream(buffering: .newest(1)))
    lasts.emit(Last(numbers))
    lasts.emit(Last(numbers))
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    dropping.subscription.cancel()
    #expect(await iterator.next() == 1)
    numbers.emit(2)
    while let value = await iterator.next(), value < 10 { numbers.emit(value + 1) }
    #expect(await stream.available() == [])
  }

  @Test("each consumer that sleeps is woken by one value")
  func allAreWoken() async {
    for policy in [BufferingPolicy.unbounded, .newest(2), .oldest(2)] {
      let (event, readers) = (Event<Int>(), (0..<3).map { _ in Reader<Int>() })
      let stream = event.stream(buffering: policy)
      for reader in readers { await reader.follow(stream) }
      event.emit(1)
      for reader in readers {
        #expect(await reader.taken(atLeast: 1) == [1])
        await reader.cancel()
      }
    }
  }

  @Test("`emitAndWait` takes a value for handled that is in a stream's buffer")
  func emitAndWait() async {
    let event = Event<Int>()
    let stream = event.stream()
    await event.emitAndWait(1)
    #expect(await stream.available() == [1])
  }

  @Test("diagnostics of a stream count the elements that wait for the consumer with the most")
  func diagnosisOfSeveral() {
    let event = Event<Int>()
    let stream = event.stream()
    let first = stream.makeAsyncIterator()
    event.emit(contentsOf: 1...2)
    let second = stream.makeAsyncIterator()
    event.emit(3)
    #expect(event.diagnostics.subscriptions[0].queued == 3)
    withExtendedLifetime((first, second)) {}
  }
}
