import Testing
import Tidings
import TidingsTesting

@Suite("Cancelling in an operator")
struct OperatorsCancelTests {
  @Test("6. A value whose operator cancels or pauses the subscription does not reach the handler")
  func inAnOperator() async {
    let listener = TestActor()
    let stops: [@Sendable (Subscription?) -> Void] = [{ $0?.cancel() }, { $0?.pause() }]
    for stop in stops {
      let (event, other, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
      let token = Locked<Subscription?>(nil)
      let stopping = event.filter { value in
        if value == 2 { stop(token.current) }
        return true
      }
      token.current = stopping.observe { received($0) }
      event.emit(contentsOf: 1...3)
      #expect(received.values == [1])
      token.current = stopping.merge(other).observe { received($0) }
      event.emit(contentsOf: 1...3)
      #expect(received.values == [1, 1])
      let proceed = Gate()
      await listener.occupy(until: proceed)
      token.current = stopping.observe(with: listener) { listener, value in listener.note(value) }
      event.emit(contentsOf: 1...3)
      proceed.open()
      await event.drained()
      for policy in [BufferingPolicy.unbounded, .newest(8), .oldest(8)] {
        let stream = stopping.stream(buffering: policy)
        token.current = stream.subscription
        event.emit(contentsOf: 1...3)
        #expect(await stream.available() == [])
      }
    }
    // The value before the stop waited for the busy actor, and was dropped with the others.
    #expect(await listener.received.isEmpty)
  }
}
