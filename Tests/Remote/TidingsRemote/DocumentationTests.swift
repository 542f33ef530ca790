import Foundation
import Testing
import Tidings
import TidingsRemote
import TidingsRemoteTesting
import TidingsTesting

/// The code that the documentation shows.
@Suite("Remote events and values, as their documentation shows them", .timeLimit(.minutes(60)))
struct DocumentationTests {
  private struct Price: Codable, Equatable, Sendable {
    var value = 0.0
    init(_ value: Double) { self.value = value }
    init(old data: Data) throws { value = try JSONDecoder().decode(Double.self, from: data) }
  }
  private struct Order: Codable, Sendable { var id = "order-1" }

  @Test("A relay, its events and its value")
  func relay() async throws {
    let relay = Relay(.memory(), name: "shop-1", namespace: "shop")
    let priced = relay.event("market.priced", of: Price.self)
    let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
    let stock = relay.value("stock.a", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
    let (shown, billed, price, order) = (Recorder<Price>(), Recorder<String>(), Price(7), Order())
    @Sendable func bill(_ order: Order) async throws { billed(order.id) }
    do {
      let subscription = priced.observe { price in shown(price) }
      priced.emit(price)
      withExtendedLifetime(subscription) {}
    }
    try await placed.send(order, id: order.id)
    placed.handle(as: "billing") { order in try await bill(order) }
    stock.update { $0 -= 1 }
    try await stock.settle()
    #expect(shown.values == [Price(7)])
    #expect(await billed.values(atLeast: 1) == ["order-1"])
    #expect(stock.value == -1)
    await relay.close()
  }

  @Test("Arrivals, and a call that may take a minute")
  func arrivals() async throws {
    let relay = Relay(.memory(), name: "shop-1", namespace: "shop")
    let placed = relay.event("orders.placed", of: Order.self, delivery: .kept(timeout: .seconds(60)))
    let seen = Recorder<String>()
    @Sendable func shown(_ order: Order) { seen(order.id) }
    @Sendable func reload() { seen("all") }
    let subscription = placed.arrivals.observe { arrival in
      switch arrival {
      case .message(let order): shown(order)
      case .gap: reload()
      }
    }
    try await placed.send(Order())
    #expect(await seen.values(atLeast: 1) == ["order-1"])
    try await placed.removeConsumer("billing")
    withExtendedLifetime(subscription) {}
    await relay.close()
  }

  @Test("Two relays on one broker, and a schema of two versions")
  func brokers() async throws {
    let broker = MemoryBroker()
    let shop = Relay(.memory(broker), name: "shop", namespace: "test")
    let billing = Relay(.memory(broker), name: "billing", namespace: "test")
    let stock = shop.value("stock.a", initially: 0)
    #expect(stock.value == 0)
    let relay = billing
    let schema = Schema<Price>.json("price", version: 2, reading: [1: { data in try Price(old: data) }])
    let priced = relay.event("market.priced", of: Price.self, schema: schema)
    priced.emit(Price(1))
    await shop.close()
    await billing.close()
  }
}
