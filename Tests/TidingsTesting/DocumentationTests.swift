import Testing
import Tidings
import TidingsTesting

/// The code that the kit's documentation shows.
@Suite("The kit, as its documentation shows it")
struct DocumentationTests {
  @Test("An event of the library, through the whole kit")
  func wholeKit() async {
    let report = await Contract.check(
      EventUnderTest(
        "Event", make: { Event<Int>() }, add: { $0.observe($1) }, emit: { $0.emit($1) }, cancel: { $0.cancel() }))
    #expect(report.isKept, "\(report)")
  }

  @Test("A type that says more of itself is asked more, and may name what it departs from")
  func departure() async {
    var type = EventUnderTest(
      "Event", make: { Event<Int>() }, add: { $0.observe($1) }, emit: { $0.emit($1) }, cancel: { $0.cancel() })
    type.isThreadSafe = true
    type.dropCancels = true
    type.addOnce = { $0.once($1) }
    let notifier = type
    let report =
      await Contract.check(notifier, except: [4: "depth-first, as its users expect"])
    #expect(report.isKept, "\(report)")
  }

  @Test("A recorder keeps what a handler received")
  func recorder() {
    let event = Event<Int>()
    let received = Recorder<Int>()
    let token = event.observe { received($0) }
    event.emit(1)
    #expect(received.values == [1])
    withExtendedLifetime(token) {}
  }

  @Test @MainActor func aClosedCartIsReleased() throws {
    let market = Event<Int>()
    try expectReleased { Cart(following: market) }
  }

  @Test("A manual clock stands still until the test advances it")
  func clock() async throws {
    let clock = ManualClock()
    let sleeping = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await sleeping.value
    let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(clock.sleeperCount == 0 && clock.now.offset == .seconds(2))
  }

  @Test("A recording keeps what a source emits, and waits for what is emitted elsewhere")
  func recording() async {
    let traded = Event<Trade>("market.traded")
    let recording = traded.record()
    traded.emit(Trade("MSFT", price: 39.81))
    #expect(recording.values.map(\.symbol) == ["MSFT"])

    Task.detached {
      traded.emit(Trade("AAPL", price: 25.94))
      traded.emit(Trade("MSFT", price: 36.35))
    }
    let trades = await recording.values(atLeast: 3)
    #expect(trades.map(\.price) == [39.81, 25.94, 36.35])
  }

  @Test("A recording of a value keeps its changes")
  func recordingOfAValue() {
    let price = Observed(100.0)
    let total = Derived { 2 * price.value }
    let totals = total.record()
    transaction {
      price.set(101)
      price.set(102)
    }
    #expect(totals.values == [Change(old: 200, new: 204)])
  }

  @Test("A manual queue runs when the test says so")
  func manualQueue() {
    let (traded, ledger) = (Event<Trade>("market.traded"), Ledger())
    let trade = Trade("MSFT", price: 39.81)
    let queue = ManualQueue()
    let subscription = traded.observe(on: .manual(queue)) { trade in ledger.add(trade) }
    traded.emit(trade)
    #expect(queue.count == 1)
    #expect(ledger.trades.values.isEmpty)
    queue.runAll()
    #expect(ledger.trades.values.count == 1)
    subscription.cancel()
  }

  @Test("A recording on a manual queue")
  func recordingOnAManualQueue() {
    let traded = Event<Trade>("market.traded")
    let queue = ManualQueue()
    let recording = traded.record(on: .manual(queue))
    traded.emit(Trade("MSFT", price: 39.81))
    queue.runAll()
    #expect(recording.values.count == 1)
  }

  private let market = Market()
  @Test func aClosedBoardReceivesNothing() throws {
    try expectNoLeakedSubscriptions {
      let board = Board(following: market)
      board.close()
    }
  }
}

private struct Trade: Sendable {
  let symbol: String
  let price: Double
  init(_ symbol: String, price: Double) {
    self.symbol = symbol
    self.price = price
  }
}
private final class Market: Sendable {
  let traded = Event<Trade>("market.traded")
}
private final class Ledger: Sendable {
  let trades = Recorder<Trade>()
  func add(_ trade: Trade) { trades(trade) }
}
private final class Board {
  private var subscriptions: Set<Subscription> = []
  init(following market: Market) {
    market.traded.observe { _ in }.store(in: &subscriptions)
  }
  func close() { subscriptions = [] }
}

@MainActor private final class Cart {
  private var count = 0
  init(following market: Event<Int>) { market.observe(with: self) { cart, number in cart.count += number } }
}
