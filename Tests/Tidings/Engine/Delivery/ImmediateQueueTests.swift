import Testing
import Tidings
import TidingsTesting

@Suite("An immediate emit in a handler that was called through its own queue")
struct ImmediateQueueTests {
  @Test("A handler that the emit removes is destroyed, and `finish()` returns")
  func takesOut() async {
    let (event, listener, canaries) = (Event<Int>(policy: .immediate), Listener(), Canaries())
    let finished = Locked<Task<Void, Never>?>(nil)
    let victim = Locked<Subscription?>(
      event.observe { [canary = canaries.make()] value in
        canary.touch()
        // Ended while the nested emit still reads the handlers.
        if value == 2 { Threads.elsewhere { event.cancelAll() } }
      })
    let token = event.observe(with: listener) { _, value in
      if value == 1 { event.emit(2, isolation: nil) }
    }
    event.emit(1)
    await token.drained()
    finished.current = Task { [token = victim.current] in await token?.finish() }
    victim.current = nil
    await finished.current?.value
    #expect(await eventually { canaries.alive == 0 })
  }
}
