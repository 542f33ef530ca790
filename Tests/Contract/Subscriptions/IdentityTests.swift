import Testing
import Tidings
import TidingsTesting

@Suite("8. `once` calls its handler at most once, also under re-entrant and concurrent emits.", .serialized)
struct OnceTests {
  @Test(
    "emitted again by itself", arguments: [DeliveryPolicy.serial, .immediate])
  func emittedAgainByItself(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let token = event.once { value in
      received(value)
      if value < 5 { event.emit(contentsOf: [value + 1, value + 2]) }
    }
    #expect(token.isActive)
    event.emit(1)
    event.emit(9)
    #expect(received.values == [1])
    #expect(!token.isActive)
  }

  @Test(
    "emitted again by an earlier handler",
    arguments: [DeliveryPolicy.serial, .immediate])
  func emittedAgainByAnEarlierHandler(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let first = event.observe { if $0 < 5 { event.emit($0 + 1) } }
    event.once { received($0) }
    event.emit(1)
    #expect(received.values == (policy == .serial ? [1] : [5]))
    first.cancel()
  }

  @Test("several threads", arguments: [DeliveryPolicy.serial, .immediate])
  func severalThreads(_ policy: DeliveryPolicy) {
    for _ in 0..<200 { severalThreadsOnce(policy) }
  }
  private func severalThreadsOnce(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    event.once { received($0) }
    Threads.together(3) { event.emit($0) }
    #expect(received.values.count == 1)
  }

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

  @Test("after operators")
  func behindOperators() async {
    let (event, other, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
    event.map { $0 * 10 }.filter { $0 > 10 }.once { received($0) }
    event.merge(other).once { received($0 + 1_000) }
    await Threads.together(2) { thread in
      for value in 1...20 { (thread == 0 ? event : other).emit(value) }
    }
    #expect(received.values.filter { $0 < 1_000 }.count == 1)
    #expect(received.values.filter { $0 > 1_000 }.count == 1)
    #expect(received.values.contains(20), "a value that the filter rejects is not the call")
  }

  @Test("in a local event")
  func inALocalEvent() {
    let event = LocalEvent<Int>()
    var received: [Int] = []
    let first = event.observe { if $0 < 5 { event.emit($0 + 1) } }
    event.once { value in
      received.append(value)
      if value < 10 { event.emit(10) }
    }
    event.emit(1)
    event.emit(2)
    #expect(received == [1])
    first.cancel()
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

  @Test("ended by their call")
  func endedByTheirCall() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let ended = event.once { received($0) }
    event.emit(1)
    let living = event.observe { received($0 * 10) }
    ended.cancel()
    ended.pause()
    event.emit(2)
    #expect(received.values == [1, 20])
    living.cancel()
  }

  @Test("local ones")
  func localOnes() {
    let event = LocalEvent<Int>()
    var (received, stale): ([Int], [LocalSubscription]) = ([], [])
    for _ in 0..<500 {
      stale.append(event.observe { _ in received.append(-1) })
      stale.last?.cancel()
    }
    let living = event.observe { received.append($0) }
    for token in stale {
      token.cancel()
      token.pause()
    }
    stale = []
    event.emit(1)
    #expect(received == [1])
    #expect(living.isActive)
  }

  @Test("stale tokens on other threads")
  func staleTokensOnOtherThreads() {
    for _ in 0..<20 { staleTokensOnOtherThreadsOnce() }
  }
  private func staleTokensOnOtherThreadsOnce() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let living = event.observe { received($0) }
    Threads.together(3) { thread in
      for value in 0..<50 {
        let token = event.observe { _ in }
        token.cancel()
        let next = event.observe { _ in }
        token.cancel()
        #expect(next.isActive)
        event.emit(thread * 50 + value)
      }
    }
    #expect(received.values.sorted() == Array(0..<150))
    living.cancel()
  }
}

extension TestActor {
  fileprivate func listenOnce(to event: Event<Int>) { event.once { self.note($0) } }
}
