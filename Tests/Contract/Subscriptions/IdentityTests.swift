import Testing
import Tidings
import TidingsTesting

@Suite("8. `once` calls its handler at most once, also under re-entrant and concurrent emits.", .serialized)
struct OnceTests {
  /// The second and the third value are on their way when the handler has its only call.
  @Test("on an actor", arguments: [DeliveryPolicy.serial, .immediate])
  func onAnActor(_ policy: DeliveryPolicy) async {
    let (event, actor, proceed) = (Event<Int>(policy: policy), TestActor(), Gate())
    await actor.listenOnce(to: event)
    await actor.occupy(until: proceed)
    event.emit(contentsOf: [1, 2, 3])
    proceed.open()
    await event.emitAndWait(4)
    await actor.run { _ in }
    #expect(await actor.received == [1])
  }
}

@Suite("9. A stale token never cancels another handler: identities are never reused.", .serialized)
struct StaleTokenTests {
  /// Thousands of places become free and are taken again; the old tokens try everything.
  @Test("places that were left")
  func placesThatWereLeft() async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    var stale: [Subscription] = []
    var living: [Subscription] = []
    for round in 0..<2_000 {
      let old = event.observe { _ in received(-1) }
      old.cancel()
      stale.append(old)
      if round % 20 == 0 { living.append(event.observe { _ in received(round) }) }
      stale[round / 2].cancel()
    }
    for token in stale {
      token.cancel()
      token.pause()
      token.resume()
      #expect(!token.isActive)
    }
    await stale[0].finish()
    event.emit(1)
    #expect(received.values == (0..<100).map { $0 * 20 })
    #expect(living.filter(\.isActive).count == 100)
  }

  /// A new event may have the address of an old one.
  @Test("events that were deinitialized")
  func eventsThatWereDeinitialized() {
    let received = Recorder<Int>()
    var (stale, living): ([Subscription], [Subscription]) = ([], [])
    var events: [Event<Int>] = []
    for round in 0..<500 {
      stale.append(Event<Int>().observe { _ in received(-1) })
      let event = Event<Int>()
      living.append(event.observe { _ in received(round) })
      events.append(event)
      for token in stale.suffix(5) { token.cancel() }
    }
    stale = []
    for event in events { event.emit(1) }
    #expect(received.values == Array(0..<500))
    #expect(Set(living).count == 500)
  }
}

extension TestActor {
  fileprivate func listenOnce(to event: Event<Int>) { event.once { self.note($0) } }
}
