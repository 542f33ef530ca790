import Testing
import Tidings
import TidingsTesting

@Suite("26. `drained()` waits for the one call of `once` while it runs, whatever is behind the event")
struct DrainedDuringOnceTests {
  @Test("on its actor, behind every operator", arguments: [DeliveryPolicy.serial, .immediate])
  func once(policy: DeliveryPolicy) async {
    var early: [String] = []
    for chain in OperatorChain.allCases {
      let living = Event<Int>()
      let (actor, event, begun, gate, handled) = (
        TestActor(), Event<Int>(policy: policy), Gate(), Gate(), Recorder<Int>()
      )
      let subscription = await actor.run { actor in
        chain.over(event, beside: living).once {
          _ = actor
          begun.open()
          gate.wait()
          handled($0)
        }
      }
      event.emit(1, isolation: nil)
      await begun.wait()
      let hasReturned = Locked(false)
      let waiting = Task {
        await event.drained()
        hasReturned.current = true
        return handled.values
      }
      for _ in 0..<50 { await Task.yield() }
      if hasReturned.current { early.append("\(chain)") }
      gate.open()
      _ = await waiting.value
      withExtendedLifetime((subscription, living)) {}
    }
    #expect(early == [])
  }
}
