import Testing
import Tidings
import TidingsTesting

@Suite("Values that streams drop", .timeLimit(.minutes(20)))
struct StreamDropsTests {
  @Test("elements that a consumer has taken before a pause or a cancellation are released when it asks again")
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
