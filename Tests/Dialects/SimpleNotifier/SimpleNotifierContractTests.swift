import SimpleNotifier
import Testing
import TidingsTesting

@Suite struct SimpleNotifierContractTests {
  @Test func `a notifier keeps the contract but for what depth-first delivery overrides`() async {
    var type = EventUnderTest(
      "Notifier", make: { Notifier<Int>() }, add: { $0.observe($1) }, emit: { $0.send($1) }, cancel: { $0.stop() })
    type.maximumDepth = 200
    type.addWithOwner = { $0.observe(owner: $1, $2) }
    await expectContract(
      type,
      except: [
        2: "depth-first, as in the original: of two values that nest, a later observer receives the inner one first",
        4: "depth-first, as in the original: a value sent by an observer is delivered immediately",
      ], kept: [1, 3, 5, 6, 9, 11, 14, 15, 23])
  }
}
