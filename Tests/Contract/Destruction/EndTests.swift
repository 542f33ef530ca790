import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  16. A subscription ends when its event is deinitialized; the values that the event had accepted are still \
  delivered. A stream is subscribed from its creation, and ends when its event is deinitialized.
  """, .serialized)
struct EndTests {
  @Test("ends with its event")
  @MainActor func endsWithItsEvent() {
    let received = Recorder<Int>()
    var event: Event<Int>? = Event()
    let token = event?.observe { received($0) }
    event?.emit(1)
    #expect(token?.isActive == true)
    event = nil
    #expect(token?.isActive == false)
    token?.cancel()
    token?.pause()
    token?.resume()
    #expect(received.values == [1])
  }

  /// A task delivers the last value, which waits until the event is deinitialized.
  @Test("handed over")
  @MainActor func handedOver() async {
    let (received, proceed, here) = (Recorder<Int>(), Gate(), Threads.current)
    var event: Event<Int>? = Event()
    weak let emitter = event
    let token = event?.observe { value in
      if value == 3_000, Threads.current != here { proceed.wait() }
      received(value)
      if value == 0 { Threads.elsewhere { for value in 1...3_000 { emitter?.emit(value) } } }
    }
    event?.emit(0)
    #expect(received.values.count < 3_001, "nothing was handed over")
    event = nil
    proceed.open()
    #expect(await eventually { received.values.count == 3_001 })
    #expect(received.values == Array(0...3_000))
    #expect(await eventually { token?.isActive == false }, "the task ends it after the last value")
  }

  @Test("on its way")
  @MainActor func onItsWay() async {
    final class Canary: Sendable {}
    let received = Recorder<Int>()
    var event: Event<Int>? = Event()
    weak var captured: Canary?
    func add() -> Subscription? {
      let canary = Canary()
      captured = canary
      return event?.observe { value in
        MainActor.preconditionIsolated()
        withExtendedLifetime(canary) { received(value) }
      }
    }
    let token = add()
    let emitter = event.map { [$0] } ?? []
    Threads.meanwhile { for value in 1...3 { emitter.first?.emit(value) } }
    withExtendedLifetime(consume emitter) {}
    event = nil
    #expect(received.values == [])
    #expect(await eventually { captured == nil }, "the token keeps what the handler captured")
    #expect(received.values == [1, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test("cancelled on its way")
  @MainActor func cancelledOnItsWay() {
    let received = Recorder<Int>()
    var event: Event<Int>? = Event()
    let token = event?.observe { value in
      MainActor.preconditionIsolated()
      received(value)
    }
    let emitter = event.map { [$0] } ?? []
    Threads.elsewhere { emitter.first?.emit(1) }
    withExtendedLifetime(consume emitter) {}
    event = nil
    token?.cancel()
    let other = Event<Int>()
    let last = other.observe { received($0) }
    other.emit(2)
    #expect(received.values == [2])
    last.cancel()
  }
}
