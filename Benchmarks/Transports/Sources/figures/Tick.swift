/// The payload that the figures send. It resembles a price of a market.
struct Tick: Codable, Sendable, Equatable {
  var symbol: String
  var price: Double
  var number: Int

  static func number(_ number: Int) -> Tick { Tick(symbol: "ACME", price: 101.25, number: number) }
}
