import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRemote

/// Handlers of kept events that take long, or never return.
@Suite("A handler that does not return", .timeLimit(.minutes(60)))
struct KeptHandlingTests {
  private let relays = TwoRelays()
  private let clock = ManualClock()
  private let began = Latch()
  private let proceed = Latch()

  private func orders(_ relay: Relay, attempts: Int = 5, timeout: Duration? = nil) -> KeptEvent<Int> {
    relay.event(
      "orders", of: Int.self,
      delivery: .kept(attempts: attempts, retryDelay: .zero, timeout: timeout, clock: clock))
  }
  /// Waits also after the task has been cancelled.
  private static func ignoringCancellation(_ latch: Latch) async { await Task { await latch.wait() }.value }
  /// The handler ignores cancellation at message 1.
  private func hang(_ event: KeptEvent<Int>, _ handled: Recorder<Int> = Recorder()) {
    event.handle(as: "billing") { [began, proceed] number in
      if number == 1 {
        began.open()
        await Self.ignoringCancellation(proceed)
      }
      handled(number)
    }
  }
  private func send(_ numbers: ClosedRange<Int>) async throws {
    try await orders(relays.shop).send(contentsOf: numbers.map { ($0, id: "\($0)") })
  }

  @Test("After ten seconds of a call, the messages that wait behind it are handled elsewhere, as first attempts")
  func waiting() async throws {
    try await send(1...20)
    let (slow, others, failures) = (Recorder<Int>(), Recorder<Int>(), relays.shop.failures.record())
    hang(orders(relays.shop), slow)
    await began.wait()
    await clock.sleepers(1)
    orders(relays.billing).handle(as: "billing") { number, message in
      #expect(message.attempt == 1)
      others(number)
    }
    clock.advance(by: .seconds(10))
    #expect(await others.values(atLeast: 19) == Array(2...20))
    #expect(await failures.values(atLeast: 1) == [.overdue(subject: "test.orders", consumer: "billing", id: "1")])
    // Without a timeout the call keeps its own message, however long it takes.
    await relays.billing.close()
    clock.advance(by: .seconds(86_400))
    proceed.open()
    #expect(await slow.values(atLeast: 1) == [1])
    await relays.close()
    #expect(slow.values == [1] && others.values.count == 19)
  }

  @Test("After its timeout a call is cancelled and its message handled elsewhere, and no call overlaps it")
  func timeout() async throws {
    try await send(1...3)
    let (slow, others, cancelled) = (Recorder<Int>(), Recorder<Int>(), Recorder<Bool>())
    orders(relays.shop, timeout: .seconds(60)).handle(as: "billing") { [began, proceed] number in
      if !began.isOpen {
        began.open()
        await Self.ignoringCancellation(proceed)
        cancelled(Task.isCancelled)
      }
      slow(number)
    }
    await began.wait()
    await clock.sleepers(1)
    clock.advance(by: .seconds(60))
    let handling = orders(relays.billing).handle(as: "billing") { number, message in
      #expect(message.attempt == (number == 1 ? 2 : 1))
      others(number)
    }
    #expect(await others.values(atLeast: 3).sorted() == [1, 2, 3])
    await handling.finish()
    try await send(4...4)
    #expect(slow.values.isEmpty)
    proceed.open()
    #expect(await slow.values(atLeast: 2) == [1, 4])
    #expect(cancelled.values == [true])
    await relays.close()
    #expect(others.values.count == 3)
  }

  @Test("A message whose calls take longer than their timeout is dead after as many attempts, and says so")
  func dead() async throws {
    try await send(1...1)
    let failures = relays.shop.failures.record()
    hang(orders(relays.shop, attempts: 1, timeout: .seconds(5)))
    await began.wait()
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let isDead = await eventually {
      failures.values.contains(
        .dead(subject: "test.orders", id: "1", reason: "its handler did not return in 5.0 seconds"))
    }
    #expect(isDead, "\(failures.values)")
    #expect(try await orders(relays.billing).deadLetters(of: "billing").map(\.payload) == [1])
    proceed.open()
    await relays.close()
  }

  @Test("A call that ends when it is cancelled is followed by the next")
  func cooperative() async throws {
    try await send(1...2)
    let (handled, clock) = (Recorder<Int>(), clock)
    orders(relays.shop, timeout: .seconds(5)).handle(as: "billing") { number, message in
      // Until it is cancelled.
      if message.attempt == 1, number == 1 { try await clock.sleep(for: .seconds(1_000)) }
      handled(number)
    }
    await clock.sleepers(2)
    clock.advance(by: .seconds(5))
    #expect(await handled.values(atLeast: 2).sorted() == [1, 2])
    await relays.close()
  }

  @Test("A call within its time loses nothing, and its deadline is counted from its own beginning")
  func within() async throws {
    try await send(1...3)
    let (attempts, failures, clock) = (Recorder<Int>(), relays.shop.failures.record(), clock)
    orders(relays.shop, timeout: .seconds(15)).handle(as: "billing") { _, message in
      try await clock.sleep(for: .seconds(9))
      attempts(message.attempt)
    }
    for count in 1...3 {
      await clock.sleepers(2)
      clock.advance(by: .seconds(9))
      #expect(await attempts.values(atLeast: count).last == 1)
    }
    await relays.close()
    #expect(failures.values.isEmpty, "\(failures.values)")
  }

  // MARK: The batch
  private func claimed(_ numbers: ClosedRange<UInt64>, attempt: Int = 1) -> [ClaimedMessage] {
    numbers.map { number in
      let message = RemoteMessage(
        subject: "a", id: "\(number)", origin: "o", schema: "Int", version: 1, body: Data(), sequence: number)
      return ClaimedMessage(message, attempt: attempt, receipt: number)
    }
  }

  @Test("What was handled before a slow call is acknowledged during it, and nothing more is claimed to wait for it")
  func acknowledged() {
    var batch = ClaimedBatch(.kept(batch: 8))
    let (first, second) = (claimed(1...4)[0], claimed(1...4)[1])
    batch.add(claimed(1...4))
    #expect(batch.next()?.receipt == 1)
    batch.begin(first, at: .seconds(1))
    #expect(batch.end() == true)
    batch.add(.acknowledged, of: first)
    #expect(batch.next()?.receipt == 2)
    batch.begin(second, at: .seconds(2))
    #expect(batch.limit == 8)
    #expect(batch.deadline == .seconds(12))
    #expect(batch.expire(at: .seconds(11)).overdue == .no)
    let overdue = batch.expire(at: .seconds(12))
    #expect(overdue.overdue == .slow && overdue.id == "2")
    let outcomes = batch.takeOutcomes()
    #expect(outcomes.map(\.0.receipt) == [1, 3, 4])
    #expect(outcomes.map(\.1) == [.acknowledged, .returned(after: .zero), .returned(after: .zero)])
    #expect(batch.deadline == nil)
    #expect(batch.next()?.receipt == nil)
    #expect(batch.end() == true)
    #expect(batch.limit == 1)
    batch.begin(second, at: .seconds(60))
    #expect(batch.end() == true)
    #expect(batch.limit == 8)
  }
}
