import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  13. A handler that fails does not keep others from being called; the failure reaches `onError`.
  """, .serialized)
struct FailureTests {
  @Test("on an actor")
  func onAnActor() async {
    let (event, listener, errors) = (Event<Int>(), Listener(), Recorder<Int>())
    let token = await listener.listenAndFail(event, errors)
    event.observe(with: listener) { listener, value in listener.note(value * 10) }
    event.emit(1)
    await event.emitAndWait(2)
    #expect(errors.values == [1, 2])
    #expect(await listener.received.sorted() == [1, 2, 10, 20])
    token.cancel()
  }

  @Test("after operators")
  func behindOperators() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let failing = event.map { $0 * 10 }.observe(
      onError: { (error: any Error) in received((error as? Oops)?.value ?? -1) }, { throw Oops(value: $0) })
    let last = event.observe { received($0) }
    event.emit(1)
    #expect(received.values == [10, 1])
    withExtendedLifetime((failing, last)) {}
  }
}

extension Listener {
  fileprivate func listenAndFail(_ event: Event<Int>, _ errors: Recorder<Int>) -> Subscription {
    event.observe(
      onError: { errors($0.value) },
      { value throws(Oops) in
        self.note(value)
        throw Oops(value: value)
      })
  }
}
