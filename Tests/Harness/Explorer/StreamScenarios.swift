#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  static let streams: [Scenario] = [
    Scenario("16, 24. The event is released beside the consumer's wait") {
      let (box, received, hasEnded) = (Locked<Event<Int>?>(Event()), Recorder<Int>(), Locked(false))
      let stream = box.current!.stream()
      return Round(
        threads: [
          {
            box.current?.emit(1)
            box.current?.emit(2)
            box.current = nil
          },
          {
            Task.detached(executorPreference: interleaver.executor) {
              for await value in stream { received(value) }
              hasEnded.current = true
            }
          },
        ],
        violation: {
          if !hasEnded.current { return "the consumer was not woken" }
          return received.values == [1, 2] ? nil : "received \(received.values)"
        })
    },
    Scenario("24. A value comes beside the consumer's wait") {
      let (event, received) = (Event<Int>(), Recorder<Int>())
      let stream = event.stream()
      return Round(
        threads: [
          { event.emit(1) },
          {
            Task.detached(executorPreference: interleaver.executor) {
              for await value in stream {
                received(value)
                break
              }
            }
          },
        ],
        violation: { received.values == [1] ? nil : "the consumer was not woken" })
    },
    Scenario("6. A stream is cancelled beside emit and the consumer's wait") {
      let (event, received, hasEnded) = (Event<Int>(), Recorder<Int>(), Locked(false))
      let stream = event.stream()
      return Round(
        threads: [
          { for value in 1...2 { event.emit(value) } },
          { stream.subscription.cancel() },
          {
            Task.detached(executorPreference: interleaver.executor) {
              for await value in stream { received(value) }
              hasEnded.current = true
            }
          },
        ],
        violation: {
          if !hasEnded.current { return "the consumer was not woken" }
          return [[], [1], [1, 2]].contains(received.values) ? nil : "received \(received.values)"
        })
    },
    Scenario("18. A stream of the latest derived value gives the last one beside set") {
      let source = Observed(0)
      let twice = Derived { source.value * 2 }
      let (stream, received) = (twice.stream(.latest), Recorder<Int>())
      return Round(
        threads: [
          { for value in 1...2 { source.set(value) } },
          {
            Task.detached(executorPreference: interleaver.executor) {
              for await value in stream {
                received(value)
                if value == 4 { break }
              }
            }
          },
        ],
        violation: { received.values.last == 4 ? nil : "received \(received.values)" })
    },
    Scenario("10. A stream of the latest derived value is paused beside set, and gives nothing in the pause") {
      let source = Observed(0)
      let twice = Derived { source.value * 2 }
      let (stream, received) = (twice.stream(.latest), Recorder<Int>())
      return Round(
        threads: [
          {
            source.set(1)
            stream.subscription.cancel()
          },
          {
            Task.detached(executorPreference: interleaver.executor) {
              var values = stream.makeAsyncIterator()
              _ = await values.next()
              stream.subscription.pause()
              if let value = await values.next() { received(value) }
            }
          },
        ],
        violation: { received.values.isEmpty ? nil : "received \(received.values)" })
    },
    Scenario("10. A stream of the latest derived value is paused beside next, and then its source is set") {
      let source = Observed(0)
      let twice = Derived { source.value * 2 }
      let (stream, received) = (twice.stream(.latest), Recorder<Int>())
      return Round(
        threads: [
          {
            stream.subscription.pause()
            source.set(1)
            stream.subscription.cancel()
          },
          {
            Task.detached(executorPreference: interleaver.executor) {
              var values = stream.makeAsyncIterator()
              while let value = await values.next() { received(value) }
            }
          },
        ],
        violation: { received.values.contains(2) ? "received \(received.values)" : nil })
    },
  ]
}
#endif
