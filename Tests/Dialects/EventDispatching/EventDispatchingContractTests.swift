import EventDispatching
import Testing
import TidingsTesting

@Suite struct EventDispatchingContractTests {
  /// An identifier with what removes it. It does not keep the dispatch, no more than the identifier does.
  private struct Added {
    weak let dispatch: EventDispatch<Int>?
    let identifier: EventDispatch<Int>.HandlerIdentifier
    func remove() { dispatch?.removeHandler(identifier) }
  }

  @Test func `a dispatch keeps the contract but for what its documented behaviour overrides`() async {
    var type = EventUnderTest(
      "EventDispatch", make: { EventDispatch<Int>() },
      add: { Added(dispatch: $0, identifier: $0.addHandler($1)) }, emit: { $0.notify($1) }, cancel: { $0.remove() })
    type.maximumDepth = 200
    type.addOnce = { $0.handleOnce($1) }
    await expectContract(
      type,
      except: [
        2: "depth-first, as documented: of two events that nest, a later handler receives the inner one first",
        4: "depth-first, as documented: what a handler notifies of is delivered immediately",
        6: "as documented, a removed handler still receives the event that is being delivered",
        11:
          "a handler may do all that; but the check takes it that a handler that it removes does not receive this event (6)",
      ], kept: [1, 3, 5, 8, 9, 14, 15, 23])
  }
}
