import Testing
import Tidings
import TidingsTesting

@Suite("No leaked subscriptions")
struct LeakedSubscriptionsTests {
  @Test("Subscriptions that end in the body are not leaked")
  func none() throws {
    let (event, price) = (Event<Int>(), Observed(1))
    try expectNoLeakedSubscriptions {
      let token = event.observe { _ in }
      _ = event.observe { _ in }
      event.once { _ in }
      let change = price.map(\.new).observe { _ in }
      event.emit(1)
      token.cancel()
      change.cancel()
    }
  }

  @Test("A subscription that outlives the body is named, with its place")
  func one() {
    let (event, kept) = (Event<Int>("market.traded"), Recorder<Subscription>())
    // Inside the macro, lines are others.
    @Sendable func observe() -> (Subscription, UInt) { (event.observe { _ in }, #line) }
    var line: UInt = 0
    let error = #expect(throws: LeakedSubscriptions.self) {
      try expectNoLeakedSubscriptions {
        let subscription: Subscription
        (subscription, line) = observe()
        kept(subscription)
      }
    }
    #expect(error?.leaks.map(\.source) == ["market.traded"])
    #if DEBUG
    #expect(error?.leaks.map(\.site.line) == [line])
    #expect(
      error?.description.hasPrefix("1 leaked subscription\n  1. market.traded: TidingsTestingTests/Leaked") == true)
    #endif
    withExtendedLifetime(kept) {}
  }

  @Test("Subscriptions to values count, and those that are derived, have an owner or wait for their call")
  func kinds() {
    let (event, price, owner) = (Event<Int>("event"), Observed(1, label: "price"), Owner())
    let double = Derived("double") { price.value * 2 }
    var kept: [Subscription] = []
    let error = #expect(throws: LeakedSubscriptions.self) {
      try expectNoLeakedSubscriptions {
        kept.append(price.observe { _ in })
        kept.append(double.observe(.initial) { _ in })
        event.observe(with: owner) { _, _ in }
        event.once { _ in }
      }
    }
    #expect(error?.leaks.map(\.source) == ["price", "double", "event", "event"])
  }

  @Test("A merge is one, however many its sources")
  func merge() throws {
    let (one, two) = (Event<Int>(), Event<Int>())
    var kept: [Subscription] = []
    let error = #expect(throws: LeakedSubscriptions.self) {
      try expectNoLeakedSubscriptions { kept.append(one.merge(two).observe { _ in }) }
    }
    #expect(error?.leaks.count == 1)
    try expectNoLeakedSubscriptions { _ = one.merge(two).observe { _ in } }
  }

  @Test("Handlers whose owner or event was deinitialized do not count")
  func released() throws {
    let event = Event<Int>()
    var kept: [Subscription] = []
    try expectNoLeakedSubscriptions {
      let owner = Owner()
      event.observe(with: owner) { _, _ in }
      event.map { $0 }.observe(with: owner) { _, _ in }
      let own = Event<Int>()
      kept.append(own.observe { _ in })
    }
    #expect(event.diagnostics.count > 0, "no emit has noticed yet")
  }

  @Test("Subscriptions made before, or by other threads meanwhile, do not count")
  func others() throws {
    let event = Event<Int>()
    let (before, kept) = (event.observe { _ in }, Recorder<Subscription>())
    try expectNoLeakedSubscriptions {
      Threads.elsewhere { kept(event.observe { _ in }) }
    }
    #expect(event.diagnostics.count == 2)
    before.cancel()
  }

  @Test("Tasks of the body count, and a body that waits may be on an actor")
  @MainActor func tasks() async throws {
    let (event, kept) = (Event<Int>(), Recorder<Subscription>())
    var board = 0
    await #expect(throws: LeakedSubscriptions.self) {
      try await expectNoLeakedSubscriptions {
        board += 1
        await Task { kept(event.observe { _ in }) }.value
      }
    }
    try await expectNoLeakedSubscriptions {
      let token = event.observe { _ in board += 1 }
      await event.emitAndWait(1)
      token.cancel()
    }
    #expect(board == 2)
  }

  @Test("An inner check has its own count")
  func nested() throws {
    let event = Event<Int>()
    try expectNoLeakedSubscriptions {
      let outer = event.observe { _ in }
      try expectNoLeakedSubscriptions { _ = event.observe { _ in } }
      outer.cancel()
    }
  }

  @Test("An error thrown by the body comes first")
  func throwing() {
    struct Failure: Error {}
    let event = Event<Int>()
    var kept: [Subscription] = []
    #expect(throws: Failure.self) {
      try expectNoLeakedSubscriptions {
        kept.append(event.observe { _ in })
        throw Failure()
      }
    }
  }
}
