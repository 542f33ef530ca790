import Foundation

/// Shares of one company.
public struct Position: Codable, Equatable, Identifiable, Sendable {
  public let id: UUID
  public let symbol: String
  public var quantity: Int
  /// The price paid for one share.
  public var paid: Decimal

  static let examples = [("AAPL", 20, 187), ("AMZN", 45, 131), ("IBM", 12, 191), ("MSFT", 8, 402)].map {
    Position(id: UUID(), symbol: $0, quantity: $1, paid: $2)
  }
}

/// A position at the market's price.
public struct Row: Encodable, Identifiable, Equatable, Sendable {
  public let position: Position
  /// Nil until the market has named one.
  public let price: Decimal?
  public let worth, gain: Decimal
  public var id: UUID { position.id }

  init(_ position: Position, at price: Decimal?) {
    (self.position, self.price) = (position, price)
    // Without a price, shares are worth what they have cost.
    worth = (price ?? position.paid) * Decimal(position.quantity)
    gain = worth - position.paid * Decimal(position.quantity)
  }
  func matches(_ text: String) -> Bool { text.isEmpty || position.symbol.contains(text.uppercased()) }
}

/// The order of the rows.
public enum RowOrder: String, Codable, Sendable {
  case symbol, worth, gain

  func areInOrder(_ one: Row, _ other: Row) -> Bool {
    switch self {
    case .symbol: one.position.symbol < other.position.symbol
    case .worth: one.worth > other.worth
    case .gain: one.gain > other.gain
    }
  }
}
