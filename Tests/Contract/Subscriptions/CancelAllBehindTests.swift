import Testing
import Tidings
import TidingsTesting

@Suite("6. `cancelAll()` drops what waits behind operators, also when it is called in a delivery of the event")
struct CancelAllBehindTests {
  @Test("in an operator behind one that follows a second source: the value that passes there reaches no handler")
  func inAnOperator() async {
    let (event, other, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
    let stopping = event.merge(other).map { value in
      if value == 1 { event.cancelAll() }
      return value
    }
    let token = stopping.observe { received($0) }
    event.emit(1)
    other.emit(2)
    #expect(received.values == [2])
    let (next, streamed) = (Event<Int>(), Recorder<Int>())
    let stream = next.merge(other).map { value in
      if value == 3 { next.cancelAll() }
      return value
    }.stream()
    next.emit(3)
    other.emit(4)
    for await value in stream.prefix(1) { streamed(value) }
    #expect(streamed.values == [4])
    token.cancel()
  }

  @Test("of shared operators, and a handler that is added next connects them anew, also while they still deliver")
  func sharedAnew() {
    let (event, received, added) = (Event<Int>(), Recorder<Int>(), Locked<Subscription?>(nil))
    let shared = event.map { $0 * 10 }.share()
    let first = shared.observe { value in
      event.cancelAll()
      added.current = shared.observe { received($0) }
    }
    event.emit(1)
    #expect(!first.isActive && added.current?.isActive == true)
    event.emit(2)
    #expect(received.values == [20])
  }

  @Test(
    "of operators that are shared with other handlers, likewise", arguments: OperatorChain.allCases,
    [DeliveryPolicy.serial, .immediate])
  func sharedAnew(behind chain: OperatorChain, policy: DeliveryPolicy) {
    // A second source keeps the operators, and a selection of `other` would connect them anew.
    let others: [OperatorChain] = [
      .merge, .mergedShare, .sharedMerge, .mergeLiving, .livingMerge, .mergeLivingTwice, .sharedMergeLiving,
      .livingFlatMapLatest, .replay,
    ]
    if others.contains(chain) { return }
    let (event, other, received) = (Event<Int>(policy: policy), Event<Int>(), Recorder<Int>())
    let added = Locked<Subscription?>(nil)
    let shared = chain.over(event, beside: other).share()
    let first = shared.observe { value in
      event.cancelAll()
      added.current = shared.observe { received($0) }
    }
    event.emit(1)
    #expect(!first.isActive && added.current?.isActive == true)
    event.emit(2)
    #expect(received.values == [2])
  }

  @Test("of a shared source that selects itself, and the search for a source of the next handler ends")
  func sharedInALoop() {
    let (event, loop, received) = (Event<Int>(), Loop(), Recorder<Int>())
    loop.source.current = event.flatMapLatest { [unowned loop] _ in loop }.share()
    let token = loop.observe { received($0) }
    event.emit(1)
    event.cancelAll()
    let next = loop.observe { received($0) }
    event.emit(2)
    #expect(received.values == [])
    token.cancel()
    next.cancel()
    loop.source.current = nil
  }

  /// A source that is made of itself.
  private final class Loop: EventSource, Sendable {
    let source = Locked<AnyEventSource<Int>?>(nil)
    func attach(_ handler: EventHandler<Int>) -> Subscription { source.current!.attach(handler) }
  }

  @Test("behind operators that lead back to themselves")
  func inALoop() {
    let (event, loop, received) = (Event<Int>(), Loop(), Recorder<Int>())
    loop.source.current = event.flatMapLatest { [unowned loop] _ in loop }.replay(1)
    let token = loop.observe { received($0) }
    event.emit(1)
    event.cancelAll()
    event.emit(2)
    #expect(received.values == [])
    token.cancel()
    loop.source.current = nil
  }

  @Test(
    "from the buffer of a stream, unless a second source gave it", arguments: OperatorChain.allCases, [true, false])
  func buffered(_ chain: OperatorChain, isIterating: Bool) async {
    if chain == .livingFlatMapLatest { return }  // `other` would select the event anew
    let (event, other, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
    let stream = chain.over(event, beside: other).stream()
    let consumer = Task {
      for await value in stream {
        received(value)
        if value != 1 { continue }
        // The others wait in the buffer while the loop is in its body.
        for value in 2...3 { event.emit(value) }
        event.cancelAll()
        other.emit(4)
        event.finish()
        other.finish()
      }
    }
    if isIterating { for _ in 0..<100 { await Task.yield() } }
    event.emit(1)
    await consumer.value
    let goesOn = [.mergeLiving, .livingMerge, .mergeLivingTwice, .sharedMergeLiving].contains(chain)
    let count = chain == .mergeLivingTwice ? 2 : 1
    #expect(received.values == [1] + (goesOn ? Array(repeating: 4, count: count) : []))
  }

  @Test(
    "called by a handler of the event, and by other code", arguments: [DeliveryPolicy.serial, .immediate],
    [true, false])
  func cancelAll(policy: DeliveryPolicy, inHandler: Bool) async {
    let actor = TestActor()
    var failures: [String] = []
    for chain in OperatorChain.allCases where ![.merge, .zip, .mergedShare, .sharedMerge].contains(chain) {
      let living = Event<Int>()
      let (event, received, gate) = (Event<Int>(policy: policy), Recorder<Int>(), Gate())
      let handler = await actor.run { actor in
        chain.over(event, beside: living).observe {
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
      withExtendedLifetime((handler, canceller, living)) {}
    }
    #expect(failures == [])
  }
}
