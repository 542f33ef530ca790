// Two processes that share a market: through a file, without a server, with
// `swift run --package-path Examples/Market --traits SQLite market publish` in one terminal and `… follow` in another; through a
// broker with `--traits NATS` and `nats-server -js` in a third. Each may come, go and be killed at any time.
#if SQLite || NATS
import Foundation
import Tidings
import TidingsJournal
import TidingsNATS
import TidingsRemote

@main
struct Market {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let verb = arguments.isEmpty ? "" : arguments.removeFirst()
    // How many prices are published or orders delivered; without end unless given.
    let count = arguments.first.flatMap(Int.init) ?? .max
    let relay = Relay(try transport(at: arguments.dropFirst().first), name: verb, namespace: "market")
    let failing = relay.failures.observe { failure in print("failure: \(failure)") }
    switch verb {
    case "publish": try await publish(count, on: relay)
    case "follow": await follow(count, on: relay)
    default:
      print(
        "usage: swift run --package-path Examples/Market --traits SQLite|NATS market publish|follow [COUNT] [FILE|URL]")
    }
    await relay.close()
    withExtendedLifetime(failing) {}
  }

  #if SQLite
  private static func transport(at path: String?) throws -> Journal {
    let folder = FileManager.default.temporaryDirectory
    return try Journal(
      path ?? folder.appendingPathComponent("tidings-market.db").path, retention: .newest(10_000))
  }
  #else
  private static func transport(at url: String?) throws -> NATSTransport {
    try NATSTransport(url ?? "nats://127.0.0.1:4222", storage: NATSStorage(newest: 10_000))
  }
  #endif

  /// Emits prices; for every tenth takes from the stock, and sends an order.
  private static func publish(_ count: Int, on relay: Relay) async throws {
    let priced = relay.event("priced", of: Price.self)
    let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
    let stock = relay.value("stock", initially: 1_000, conflict: .merge { base, mine, theirs in theirs + mine - base })
    var price = Price(symbol: "TIDE", amount: 100)
    for number in 1...count {
      price.amount += Double(Int.random(in: -100...100)) / 100
      priced.emit(price)
      if number % 10 == 0 {
        let order = Order(id: UUID().uuidString, quantity: Int.random(in: 1...5))
        stock.update { $0 -= order.quantity }
        // Returns when it is stored: no follower needs to be running now.
        try await placed.send(order, id: order.id)
        print("placed an order for \(order.quantity)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Shows prices and the stock, and delivers what is ordered.
  private static func follow(_ count: Int, on relay: Relay) async {
    let priced = relay.event("priced", of: Price.self)
    let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
    let stock = relay.value("stock", initially: 1_000)
    let showing = [
      priced.map(\.amount).removeDuplicates().observe { amount in print("TIDE \(amount)") },
      stock.observe { change in print("in stock: \(change.new)") },
    ]
    let (deliveries, delivered) = AsyncStream.makeStream(of: Void.self)
    placed.handle(as: "warehouse") { order, message in
      // A handler may run again after a kill: the effect is recorded under the message's id, so it happens once.
      let delivery = relay.value("deliveries.\(message.id)", initially: 0)
      delivery.set(order.quantity)
      try await delivery.settle()
      print("delivered \(order.quantity)")
      delivered.yield()
    }
    var number = 0
    for await _ in deliveries {
      number += 1
      if number == count { break }
    }
    withExtendedLifetime(showing) {}
  }
}

struct Price: Codable, Equatable, Sendable {
  var symbol: String
  var amount: Double
}

struct Order: Codable, Sendable {
  let id: String
  let quantity: Int
}
#else
@main
struct Market {
  static func main() {
    print(
      "It needs the trait of a transport: swift run --package-path Examples/Market --traits SQLite|NATS market publish|follow"
    )
  }
}
#endif
