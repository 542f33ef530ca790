#if canImport(Combine) || OpenCombine
import Testing
import Tidings
import TidingsCombine
import TidingsTesting

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite("Publishers into events")
struct PublisherSinkTests {
  private struct Failure: Error {}

  @Test("A publisher's values are emitted until the subscription is cancelled")
  func emits() {
    let (subject, event) = (PassthroughSubject<Int, Never>(), Event<Int>())
    let recording = event.record()
    let cancellable = subject.sink(into: event)
    subject.send(1)
    subject.send(2)
    cancellable.cancel()
    subject.send(3)
    #expect(recording.values == [1, 2])
  }

  @Test("The completion is delivered, and nothing after it")
  func completion() {
    let (subject, event) = (PassthroughSubject<Int, Failure>(), Event<Int>())
    let (recording, ends) = (event.record(), Recorder<String>())
    let cancellable = subject.sink(into: event) { completion in
      if case .failure = completion { ends("failed") } else { ends("finished") }
    }
    subject.send(1)
    subject.send(completion: .failure(Failure()))
    subject.send(2)
    #expect(recording.values == [1])
    #expect(ends.values == ["failed"])
    cancellable.cancel()
    #expect(ends.values == ["failed"])
  }

  @Test("A bounded demand asks for the given number, and for one more when one has been emitted")
  func demand() {
    let event = Event<Int>()
    let (recording, asked) = (event.record(), Recorder<String>())
    let cancellable = (1...5).publisher
      .handleEvents(receiveRequest: { asked("\($0.max.map(String.init) ?? "all")") })
      .sink(into: event, demand: .max(2))
    #expect(recording.values == [1, 2, 3, 4, 5])
    #expect(asked.values.first == "2")
    #expect(!asked.values.contains("all"))
    cancellable.cancel()
  }

  @Test("The event is not kept, and the publisher is cancelled when it sends to no handler")
  func released() {
    let (subject, cancelled) = (PassthroughSubject<Int, Never>(), Recorder<Void>())
    var event: Event<Int>? = Event()
    weak let released = event
    let cancellable = subject.handleEvents(receiveCancel: { cancelled(()) }).sink(into: event!)
    event = nil
    #expect(released == nil)
    subject.send(1)
    #expect(cancelled.values.count == 1)
    cancellable.cancel()
    #expect(cancelled.values.count == 1)
  }
}
#endif
