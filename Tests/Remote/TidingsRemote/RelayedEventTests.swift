import Foundation
import Synchronization
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@Suite("A relayed event", .timeLimit(.minutes(60)))
struct RelayedEventTests {
  @Test("Handlers of the process that emits are called before emit returns, those of others once each, in order")
  func delivers() async {
    let relays = TwoRelays()
    let (here, there) = (
      relays.shop.event("market.priced", of: Int.self), relays.billing.event("market.priced", of: Int.self)
    )
    let (near, far) = (here.record(), there.record())
    for number in 1...1_000 { here.emit(number) }
    #expect(near.values == Array(1...1_000))
    #expect(await far.values(atLeast: 1_000) == Array(1...1_000))
    there.emit(0)
    #expect(await near.values(atLeast: 1_001).last == 0)
    #expect(near.values.count == 1_001)
    await relays.close()
  }

  @Test("Values sent on the emitting thread and queued values are one sequence for each event, each sent once")
  func immediate() async {
    let transport = ImmediateTransport()
    let relay = Relay(transport, name: "shop", namespace: "test")
    let (events, count) = ((0..<4).map { relay.event("event\($0)", of: Int.self) }, 5_000)
    await withTaskGroup(of: Void.self) { group in
      for event in events {
        group.addTask {
          for number in 1...count {
            event.emit(number, isolation: nil)
            // So that the queue is empty now and then.
            if number % 7 == 0 { await Task.yield() }
          }
        }
      }
    }
    await relay.close()
    let sent = transport.sent.values
    for number in 0..<4 {
      let own = sent.filter { $0.subject == "test.event\(number)" }
      #expect(own.map(\.number) == (1...UInt64(count)).map { $0 })
      #expect(own.map { String(decoding: $0.body, as: UTF8.self) } == (1...count).map(String.init))
    }
    #expect(transport.overlapping.load(ordering: .relaxed) == 0)
    #expect((1..<4 * count).contains(transport.immediate.load(ordering: .relaxed)))
  }

  @Test("Simultaneous emits of threads are received in one order, that of the sender's own handlers")
  func threads() async {
    let relays = TwoRelays()
    let (here, there) = (relays.shop.event("a", of: Int.self), relays.billing.event("a", of: Int.self))
    let (near, far) = (here.record(), there.record())
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for number in 0..<250 { here.emit(thread * 1_000 + number, isolation: nil) } }
      }
    }
    #expect(await far.values(atLeast: 1_000) == near.values(atLeast: 1_000))
    await relays.close()
  }

  @Test("Two events of one name in one process reach each other, and none itself twice")
  func siblings() async {
    let relays = TwoRelays()
    let (first, second) = (relays.shop.event("a", of: Int.self), relays.shop.event("a", of: Int.self))
    let (own, other) = (first.record(), second.record())
    first.emit(1)
    second.emit(2)
    #expect(await other.values(atLeast: 2).sorted() == [1, 2])
    #expect(await own.values(atLeast: 2).sorted() == [1, 2])
    await relays.close()
    #expect(own.values.count == 2)
    #expect(other.values.count == 2)
  }

  @Test("Relays of different namespaces share nothing")
  func namespaces() async {
    let broker = MemoryBroker()
    let (one, other) = (
      Relay(.memory(broker), name: "a", namespace: "one"), Relay(.memory(broker), name: "b", namespace: "other")
    )
    let (here, there) = (one.event("a", of: Int.self), other.event("a", of: Int.self))
    let sibling = one.event("a", of: Int.self)
    let (near, far) = (sibling.record(), there.record())
    here.emit(1)
    there.emit(2)
    #expect(await near.values(atLeast: 1) == [1])
    #expect(await far.values(atLeast: 1) == [2])
    await one.close()
    await other.close()
    #expect(near.values == [1] && far.values == [2])
    withExtendedLifetime(sibling) {}
  }

  @Test("Values lost while the broker is away are reported by the sender and by the receiver, with their number")
  func lost() async {
    let relays = TwoRelays()
    let (here, there) = (relays.shop.event("a", of: Int.self), relays.billing.event("a", of: Int.self))
    let (dropped, missed, far) = (relays.shop.failures.record(), relays.billing.failures.record(), there.record())
    let (arrived, sent) = (there.arrivals.record(), here.arrivals.record())
    here.emit(1)
    _ = await far.values(atLeast: 1)
    relays.broker.isReachable = false
    here.emit(2)
    here.emit(3)
    let given = await eventually { dropped.values.droppedCount == 2 }
    #expect(given)
    relays.broker.isReachable = true
    here.emit(4)
    #expect(await far.values(atLeast: 2) == [1, 4])
    #expect(await arrived.values(atLeast: 3) == [.message(1), .gap(missed: 2), .message(4)])
    #expect(sent.values == (1...4).map { .message($0) })
    #expect(await missed.values(atLeast: 1) == [.missed(subject: "test.a", count: 2)])
    await relays.close()
  }

  @Test("A relay that closes while its transport is away tries with one batch, and reports the rest as dropped")
  func closesWhileAway() async {
    let transport = AwayTransport()
    let relay = Relay(transport, name: "shop", namespace: "test")
    let (event, failures) = (relay.event("a", of: Int.self), relay.failures.record())
    event.emit(0)
    _ = await transport.published.values(atLeast: 1)
    for number in 1...5_000 { event.emit(number) }
    let closing = Task { await relay.close() }
    var emitted = 5_001
    func isRejected() -> Bool { failures.values.contains { "\($0)".hasSuffix("the relay is closed") } }
    while !isRejected() {
      event.emit(emitted)
      emitted += 1
      await Task.yield()
    }
    transport.gate.open()
    await closing.value
    #expect(transport.published.values == [1])
    #expect(failures.values.droppedCount == emitted)
  }

  @Test("A handler that is too slow costs the oldest messages, which are counted")
  func tooSlow() async {
    let relays = TwoRelays(buffering: 10)
    let (here, there) = (relays.shop.event("a", of: Int.self), relays.billing.event("a", of: Int.self))
    let missed = relays.billing.failures.record()
    let (actor, gate, began) = (TestActor(), Gate(), Gate())
    let received = Recorder<Int>()
    let token = there.observe(with: actor) { _, number in
      received(number)
      if number == 1 {
        began.open()
        gate.wait()
      }
    }
    here.emit(1)
    await began.wait()
    let sent = relays.shop.event("sent", of: Int.self)
    let listening = relays.billing.event("sent", of: Int.self)
    let arrived = listening.record()
    for number in 2...50 {
      here.emit(number)
      // One at a time, so that the sender's own buffer drops nothing.
      sent.emit(number)
      _ = await arrived.values(atLeast: number - 1)
    }
    gate.open()
    #expect(await received.values(atLeast: 11) == [1] + (41...50))
    #expect(await missed.values(atLeast: 1) == [.missed(subject: "test.a", count: 39)])
    withExtendedLifetime((token, listening)) {}
    await relays.close()
  }

  @Test("A payload of another version is upgraded, one of a newer is reported")
  func versions() async {
    let relays = TwoRelays()
    let old = relays.shop.event("a", of: Double.self, schema: .json("price"))
    let newer = relays.shop.event("a", of: Int.self, schema: .json("price", version: 3))
    let upgrading = Schema<Price>.json(
      "price", version: 2,
      reading: [1: { Price(symbol: "?", value: try JSONDecoder().decode(Double.self, from: $0)) }])
    let here = relays.billing.event("a", of: Price.self, schema: upgrading)
    let (received, failures) = (here.record(), relays.billing.failures.record())
    old.emit(7)
    #expect(await received.values(atLeast: 1) == [Price(symbol: "?", value: 7)])
    newer.emit(1)
    guard case .unreadable("test.a", _, let reason)? = await failures.values(atLeast: 1).first else {
      Issue.record("no report: \(failures.values)")
      return
    }
    #expect(reason.contains("version 3"))
    await relays.close()
  }

  @Test("Two processes that drive each other in a cycle are stopped after 16 hops, with a report")
  func cycle() async {
    let relays = TwoRelays()
    let (here, there) = (relays.shop.event("a", of: Int.self), relays.billing.event("b", of: Int.self))
    let (answers, asks) = (relays.shop.event("b", of: Int.self), relays.billing.event("a", of: Int.self))
    let failures = [relays.shop.failures.record(), relays.billing.failures.record()]
    let tokens = [
      asks.observe { there.emit($0 + 1, isolation: nil) }, answers.observe { here.emit($0 + 1, isolation: nil) },
    ]
    here.emit(0)
    let stopped = await eventually { failures.contains { !$0.values.isEmpty } }
    #expect(stopped)
    let all = failures.flatMap(\.values)
    #expect(all.count == 1)
    if case .cycle(_, let hops) = all[0] { #expect(hops == 17) } else { Issue.record("\(all)") }
    withExtendedLifetime(tokens) {}
    await relays.close()
  }

  @Test("An event that is released receives nothing more and keeps nothing alive")
  func released() async {
    let relays = TwoRelays()
    let here = relays.shop.event("a", of: Int.self)
    var there: RelayedEvent<Int>? = relays.billing.event("a", of: Int.self)
    weak let released = there
    let token = there?.observe { _ in }
    there = nil
    let ended = await eventually { released == nil && token?.isActive == false }
    #expect(ended)
    here.emit(1)
    await relays.close()
  }
}
