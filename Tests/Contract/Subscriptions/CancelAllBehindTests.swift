import Testing
import Tidings
import TidingsTesting

@Suite("6. `cancelAll()` drops what waits behind operators, also when it is called in a delivery of the event")
struct CancelAllBehindTests {
  @Test(
    "called by a handler of the event, and by other code", arguments: [DeliveryPolicy.serial, .immediate],
    [true, false])
  func cancelAll(policy: DeliveryPolicy, inHandler: Bool) async {
    let actor = TestActor()
    var failures: [String] = []
    for chain in OperatorChain.allCases where ![.merge, .zip, .mergedShare, .sharedMerge].contains(chain) {
      let (event, received, gate) = (Event<Int>(policy: policy), Recorder<Int>(), Gate())
      let handler = await actor.run { actor in
        chain.over(event).observe {
          _ = actor
          received($0)
        }
      }
      let canceller = event.observe { if inHandler, $0 == 2 { event.cancelAll() } }
      await actor.occupy(until: gate)
      event.emit(1, isolation: nil)
      event.emit(2, isolation: nil)
      if !inHandler { event.cancelAll() }
      gate.open()
      for _ in 0..<3 { await actor.run { _ in } }
      if !received.values.isEmpty { failures.append("\(chain): \(received.values)") }
      withExtendedLifetime((handler, canceller)) {}
    }
    #expect(failures == [])
  }
}
