import Testing
import Tidings
import TidingsTesting

@Suite("What streams drop", .timeLimit(.minutes(20)))
struct StreamDropsTests {
  @Test("after a pause a consumer gets every value, whatever it had taken, and each with its own number")
  func afterAPause() async {
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
    }
  }

  @Test("what a pause or a cancel overtook in a consumer's hand ends when the consumer comes back")
  func overtaken() async {
    for isPaused in [true, false] {
      let (event, canaries) = (Event<Canary>(), Canaries())
      let stream = event.stream()
      var iterator = stream.makeAsyncIterator()
      for _ in 0..<3 { event.emit(canaries.make()) }
      _ = await iterator.next()
      #expect(canaries.alive == 2)
      if isPaused { stream.subscription.pause() } else { stream.subscription.cancel() }
      stream.subscription.resume()
      event.emit(canaries.make())
      _ = await iterator.next()
      #expect(canaries.alive == 0)
    }
  }

  @Test("a value that was passing an operator when the stream was paused or cancelled does not come in")
  func overtakenOnItsWay() async {
    for policy in [BufferingPolicy.unbounded, .newest(8), .oldest(8)] {
      for isPaused in [true, false] {
        let (event, token) = (Event<Int>(), Locked<Subscription?>(nil))
        let passing = event.filter { value in
          if value == 2 { if isPaused { token.current?.pause() } else { token.current?.cancel() } }
          return true
        }
        let stream = passing.stream(buffering: policy)
        token.current = stream.subscription
        event.emit(contentsOf: 1...3)
        stream.subscription.resume()
        event.emit(4)
        #expect(await stream.available() == (isPaused ? [4] : []))
        token.current = nil
      }
    }
  }

  @Test("a value that is dropped may use its stream in its `deinit`, however it is dropped")
  func endsThatUseTheStream() async {
    for policy in [BufferingPolicy.unbounded, .newest(1), .oldest(1)] {
      let (event, seen) = (Event<DeinitCallback>(), Recorder<Int>())
      let stream = Locked<EventStream<DeinitCallback>?>(event.stream(buffering: policy))
      let emit = { event.emit(DeinitCallback { seen(stream.current?.makeAsyncIterator() == nil ? 0 : 1) }) }
      var iterator = stream.current?.makeAsyncIterator()
      emit()
      emit()
      #expect(seen.values == (policy == .unbounded ? [] : [1]))
      stream.current?.subscription.pause()
      #expect(seen.values == [1, 1])
      stream.current?.subscription.resume()
      emit()
      iterator = nil
      #expect(seen.values == [1, 1, 1])
      iterator = stream.current?.makeAsyncIterator()
      emit()
      stream.current?.subscription.cancel()
      #expect(seen.values == [1, 1, 1, 1])
      stream.current = nil
      withExtendedLifetime(iterator) {}
    }
  }
}
