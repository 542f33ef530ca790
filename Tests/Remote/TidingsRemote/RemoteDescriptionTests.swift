import Testing
import Tidings
import TidingsRemote

@Suite("Descriptions of what processes share")
struct RemoteDescriptionTests {
  /// As the documentation shows it.
  private func shown(_ relay: Relay) {
    print(relay)  // Relay 'till 3' in 'shop' (connected("shop.db"))
  }

  @Test("Each says what it is, its name, its state or value, and how many subscribe in this process")
  func descriptions() async throws {
    func children(_ subject: Any) -> [String] {
      Mirror(reflecting: subject).children.map { "\($0.label ?? "-"): \($0.value)" }
    }
    let broker = MemoryBroker()
    let relay = Relay(.memory(broker), name: "till", namespace: "shop")
    #expect("\(broker)" == "MemoryBroker (reachable)" && children(broker) == ["state: reachable"])
    #expect("\(relay)".hasPrefix("Relay 'till' in 'shop' ("))
    #expect(children(relay).prefix(2) == ["name: till", "namespace: shop"])

    let sold = relay.event("sold", of: Int.self)
    let subject = try #require(children(sold).first).dropFirst("subject: ".count)
    #expect(subject.hasSuffix("sold"))
    #expect("\(sold)" == "RelayedEvent<Int> '\(subject)' (0 subscriptions)")
    let subscription = sold.observe { _ in }
    #expect("\(sold)" == "RelayedEvent<Int> '\(subject)' (1 subscription)")
    #expect(children(sold).last == "subscriptions: 1")
    subscription.cancel()

    let ordered = relay.event("ordered", of: Int.self, delivery: .kept)
    let following = ordered.observe { _ in }
    #expect("\(ordered)".hasPrefix("KeptEvent<Int> '") && "\(ordered)".hasSuffix("ordered' (1 subscription)"))
    #expect(children(ordered).last == "subscriptions: 1")
    following.cancel()
    let handling = ordered.handle(as: "stock") { _ in }
    #expect("\(handling)".hasSuffix("ordered' as 'stock' (active)"))
    handling.cancel()
    #expect("\(handling)".hasSuffix("ordered' as 'stock' (cancelled)") && children(handling).last == "state: cancelled")

    let key = subject.dropLast("sold".count) + "price"
    let price = relay.value("price", initially: 40)
    #expect("\(price)" == "RelayedValue '\(key)': not computed, 0 subscriptions")
    #expect(price.value == 40)
    #expect("\(price)" == "RelayedValue '\(key)': 40, 0 subscriptions")
    #expect(Mirror(reflecting: price).children.map(\.label) == ["label", "value", "isStale", "subscriptions"])
    #expect("\(Schema<Int>.json("price", version: 2))" == "Schema<Int> 'price' (version 2)")
    #expect(children(Schema<Int>.json("price", version: 2)) == ["name: price", "version: 2"])
    #expect("\(ConflictRule<Int>.latest)" == "ConflictRule<Int>")
    await relay.close()
    #expect("\(relay)" == "Relay 'till' in 'shop' (closed)")
  }
}
