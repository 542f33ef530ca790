/// What the figures send: about what a price of a market is.
struct Tick: Codable, Sendable, Equatable {
  var symbol: String
  var price: Double
  var number: Int

  static func number(_ number: Int) -> Tick { Tick(symbol: "ACME", price: 101.25, number: number) }
}
