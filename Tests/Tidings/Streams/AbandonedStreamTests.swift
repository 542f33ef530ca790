import Testing
import TidingsTesting

@testable import Tidings

@Suite("Streams that are given up with values in their buffers")
struct AbandonedStreamTests {
  enum End: CaseIterable, Sendable { case stream, cancel, pause, consumer, taken }

  /// The source keeps the relay until its values have left the buffers, for `cancelAll()`.
  @Test(
    "However the buffer is emptied, the source forgets the relay before it", arguments: End.allCases,
    [BufferingPolicy.unbounded, .newest(1), .oldest(1)])
  func relays(_ end: End, _ buffering: BufferingPolicy) async {
    let event = Event<Int>()
    var stream: EventStream<Int>? = event.prefix(2).share().stream(buffering: buffering)
    var consumer = stream?.makeAsyncIterator()
    for value in 1...2 { event.emit(value) }
    #expect(event.stages == 1)
    switch end {
    case .stream: (stream, consumer) = (nil, nil)
    case .cancel: stream?.subscription.cancel()
    case .pause: stream?.subscription.pause()
    case .consumer: consumer = nil
    case .taken: while await consumer?.next() != nil {}
    }
    #expect(event.stages == 0)
    withExtendedLifetime((stream, consumer)) {}
  }
}

extension Event {
  /// The queues and relays that receive nothing more from the event, and have values.
  fileprivate var stages: Int { delivery.state.withLock { $0.retiring.count } }
}
