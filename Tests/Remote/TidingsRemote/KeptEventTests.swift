import Foundation
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@Suite("A kept event", .timeLimit(.minutes(60)))
struct KeptEventTests {
  private let relays = TwoRelays()
  private func orders(
    _ relay: Relay, _ delivery: KeptDelivery = .kept(attempts: 5, retryDelay: .zero)
  ) -> KeptEvent<Int> {
    relay.event("orders.placed", of: Int.self, delivery: delivery)
  }

  @Test("A message sent before a handler was added is handled, once in all processes of one name")
  func shares() async throws {
    let (sent, handled) = (orders(relays.shop), Recorder<Int>())
    for number in 1...100 { try await sent.send(number) }
    for relay in [relays.shop, relays.billing] { orders(relay).handle(as: "billing") { handled($0) } }
    for number in 101...200 { try await sent.send(number) }
    #expect(await handled.values(atLeast: 200).sorted() == Array(1...200))
    await relays.close()
    #expect(handled.values.count == 200)
  }

  @Test("A message that is sent twice under one id is handled once")
  func identity() async throws {
    let (sent, handled) = (orders(relays.shop), Recorder<Int>())
    try await sent.send(1, id: "a")
    try await sent.send(2, id: "a")
    try await sent.send(3, id: "b")
    orders(relays.billing).handle(as: "billing") { handled($0) }
    #expect(await handled.values(atLeast: 2) == [1, 3])
    await relays.close()
  }

  @Test("send returns when the message is kept, also over answers that are lost and a broker that is away")
  func returns() async throws {
    let (sent, handled) = (orders(relays.shop), Recorder<Int>())
    relays.broker.loseAnswers(3)
    try await sent.send(1, id: "a")
    relays.broker.isReachable = false
    let (failures, sending) = (relays.shop.failures.record(), Task { try await sent.send(2, id: "b") })
    _ = await failures.values(atLeast: 1)
    relays.broker.isReachable = true
    try await sending.value
    orders(relays.billing).handle(as: "billing") { handled($0) }
    #expect(await handled.values(atLeast: 2) == [1, 2])
    await relays.close()
    #expect(handled.values == [1, 2])
  }

  @Test("A send that is cancelled throws, though the broker stays away")
  func cancelled() async {
    let sent = orders(relays.shop)
    relays.broker.isReachable = false
    let sending = Task { try await sent.send(1) }
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
    await relays.close()
  }

  @Test("A message at which a handler throws is handled again, with the number of the attempt")
  func retries() async throws {
    let (sent, attempts) = (orders(relays.shop), Recorder<Int>())
    orders(relays.billing).handle(as: "billing") { _, message in
      attempts(message.attempt)
      if message.attempt < 4 { throw OutOfPaper() }
    }
    try await sent.send(1)
    #expect(await attempts.values(atLeast: 4) == [1, 2, 3, 4])
    await relays.close()
    #expect(attempts.values.count == 4)
  }

  @Test("After five times a message is dead: reported once, and not in the way of others")
  func dead() async throws {
    let (sent, handled, failed) = (orders(relays.shop), Recorder<Int>(), Recorder<Int>())
    let failures = relays.billing.failures.record()
    orders(relays.billing).handle(as: "billing") { number in
      if number == 1 {
        failed(number)
        throw OutOfPaper()
      }
      handled(number)
    }
    try await sent.send(1, id: "poison")
    try await sent.send(2)
    #expect(await handled.values(atLeast: 1) == [2])
    #expect(
      await failures.values(atLeast: 1)
        == [.dead(subject: "test.orders.placed", id: "poison", reason: "OutOfPaper()")])
    await relays.close()
    #expect(failed.values.count == 5)
  }

  @Test("A dead message is listed with its reason, and handled again when it is put back")
  func putBack() async throws {
    let (placed, handled) = (orders(relays.shop), Recorder<Int>())
    let failures = relays.billing.failures.record()
    try await placed.send(7, id: "order-7")
    let first = orders(relays.billing).handle(as: "billing") { _ in throw OutOfPaper() }
    _ = await failures.values(atLeast: 1)
    await first.finish()
    let letters = try await placed.deadLetters(of: "billing")
    #expect(letters.map(\.payload) == [7])
    #expect(letters.map(\.id) == ["order-7"])
    #expect(letters.map(\.reason) == ["OutOfPaper()"])
    try await placed.putBack(letters, to: "billing")
    orders(relays.billing).handle(as: "billing") { number, message in
      #expect(message.attempt == 1)
      handled(number)
    }
    #expect(await handled.values(atLeast: 1) == [7])
    #expect(try await placed.deadLetters(of: "billing").isEmpty)
    await relays.close()
  }

  @Test("An unreadable message is reported, and stays for a process that can read it")
  func unreadable() async throws {
    let newer = relays.shop.event("orders.placed", of: String.self, schema: .json("Int", version: 2), delivery: .kept)
    let prompt = PromptTransport(base: .memory(relays.broker))
    let billing = Relay(prompt, name: "billing", namespace: "test")
    let (failures, handled, read) = (billing.failures.record(), Recorder<Int>(), Recorder<String>())
    let old = orders(billing).handle(as: "billing") { handled($0) }
    try await newer.send("two")
    try await orders(relays.shop).send(1)
    #expect(await handled.values(atLeast: 1) == [1])
    let reports = await failures.values(atLeast: 1)
    if case .unreadable = reports[0] {} else { Issue.record("\(reports)") }
    await old.finish()
    newer.handle(as: "billing") { read($0) }
    #expect(await read.values(atLeast: 1) == ["two"])
    await billing.close()
    await relays.close()
  }

  @Test("finish lets the call under way end, acknowledges it, and gives the others back")
  func finishes() async throws {
    let (sent, began, proceed) = (orders(relays.shop), Latch(), Latch())
    try await sent.send(contentsOf: (1...3).map { ($0, id: "\($0)") })
    let first = orders(relays.shop).handle(as: "billing") { _ in
      began.open()
      await proceed.wait()
    }
    await began.wait()
    let finishing = Task { await first.finish() }
    first.cancel()
    proceed.open()
    await finishing.value
    let handled = Recorder<Int>()
    orders(relays.billing).handle(as: "billing") { number, message in
      #expect(message.attempt == 1)
      handled(number)
    }
    #expect(await handled.values(atLeast: 2) == [2, 3])
    await relays.close()
  }

  @Test("Observers receive in every process, the sender's too, in one order")
  func observed() async throws {
    let (here, there) = (orders(relays.shop), orders(relays.billing))
    let (near, far) = (here.record(), there.record())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, event) in [here, there].enumerated() {
        group.addTask { for number in 0..<50 { try await event.send(index * 100 + number) } }
      }
      try await group.waitForAll()
    }
    #expect(await near.values(atLeast: 100) == far.values(atLeast: 100))
    await relays.close()
  }

  @Test("Slow observers are reported, as much as is buffered waits for them, and they receive everything")
  func lagging() async throws {
    let narrow = TwoRelays(buffering: 10)
    let (sent, observed) = (orders(narrow.shop), orders(narrow.billing))
    let (failures, received, proceed) = (narrow.billing.failures.record(), Recorder<Int>(), Latch())
    let observing = observed.observe { number in
      if number == 1 { await proceed.wait() }
      received(number)
    }
    for number in 1...1_000 { try await sent.send(number) }
    let reports = await failures.values(atLeast: 1)
    // The first is with its handler, perhaps with some that came in the same batch.
    guard case .lagging("test.orders.placed", let count)? = reports.first else {
      Issue.record("\(reports)")
      return
    }
    #expect(count == 10)
    proceed.open()
    #expect(await received.values(atLeast: 1_000) == Array(1...1_000))
    withExtendedLifetime(observing) {}
    await narrow.close()
    await relays.close()
  }

  @Test("What retention removes before an observer receives it is counted, reported, and marked in its place")
  func removed() async throws {
    let narrow = TwoRelays(buffering: 10)
    let (sent, observed) = (orders(narrow.shop), orders(narrow.billing))
    let (failures, received, proceed) = (narrow.billing.failures.record(), Recorder<Int>(), Latch())
    let arrived = observed.arrivals.record()
    let observing = observed.observe { number in
      if number == 1 { await proceed.wait() }
      received(number)
    }
    for number in 1...1_000 { try await sent.send(number) }
    narrow.broker.prune(keeping: 5)
    proceed.open()
    let isOver = await eventually { received.values.last == 1_000 }
    #expect(isOver)
    let first = received.values.prefix { $0 < 996 }.count
    #expect(received.values == Array(1...first) + Array(996...1_000))
    let all = (1...first).map { Arrival.message($0) } + [.gap(missed: 995 - first)]
    #expect(arrived.values == all + (996...1_000).map { .message($0) })
    let isReported = await eventually {
      failures.values.contains(.missed(subject: "test.orders.placed", count: 995 - first))
    }
    #expect(isReported, "\(failures.values)")
    withExtendedLifetime(observing) {}
    await narrow.close()
    await relays.close()
  }

  @Test("An observer is told of removed messages after which none comes")
  func removedLast() async throws {
    let narrow = TwoRelays(buffering: 10)
    let (sent, observed, proceed) = (orders(narrow.shop), orders(narrow.billing), Latch())
    let gaps = Recorder<Int?>()
    let observing = observed.arrivals.observe { arrival in
      if case .message(1) = arrival { await proceed.wait() }
      if case .gap(let missed) = arrival { gaps(missed) }
    }
    for number in 1...100 { try await sent.send(number) }
    narrow.broker.prune(keeping: 0)
    proceed.open()
    let missed = await gaps.values(atLeast: 1)
    #expect(missed.count == 1 && missed[0].map { (1...98).contains($0) } == true, "\(missed)")
    withExtendedLifetime(observing) {}
    await narrow.close()
    await relays.close()
  }

  @Test("A handler of an actor runs on it")
  @MainActor func isolated() async throws {
    let sent = orders(relays.shop)
    var handled: [Int] = []
    let done = Latch()
    orders(relays.billing).handle(as: "billing") { number in
      MainActor.assertIsolated()
      handled.append(number)
      if number == 2 { done.open() }
    }
    try await sent.send(1)
    try await sent.send(2)
    await done.wait()
    #expect(handled == [1, 2])
    await relays.close()
  }
}
