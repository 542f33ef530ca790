import Tidings
import TidingsRemote
import TidingsTesting

/// Two processes of one namespace, as far as they can see.
struct TwoRelays {
  let broker = MemoryBroker()
  let shop: Relay
  let billing: Relay

  init(buffering limit: Int = 65_536) {
    shop = Relay(.memory(broker), name: "shop", namespace: "test", buffering: limit)
    billing = Relay(.memory(broker), name: "billing", namespace: "test", buffering: limit)
  }
  func close() async {
    await shop.close()
    await billing.close()
  }
}

struct Price: Codable, Equatable, Sendable {
  let symbol: String
  let value: Double
}

struct OutOfPaper: Error {}

extension [RelayFailure] {
  /// How many messages of "test.a" their sender has given up.
  var droppedCount: Int {
    reduce(0) { sum, failure in
      if case .dropped("test.a", let count, _) = failure { sum + count } else { sum }
    }
  }
}
