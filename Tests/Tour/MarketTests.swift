import Testing

@testable import tour

struct MarketTests {
  private func price(_ symbol: String, _ day: String, _ close: Double) throws -> Price {
    Price(symbol: symbol, day: try #require(Day(day)), close: close)
  }

  @Test func `Rows in any order become months, each in the order of companies`() throws {
    let prices = [
      try price("B", "Mar 1 2000", 3), try price("A", "Jan 5 2000", 1), try price("B", "Jan 1 2000", 2),
      try price("A", "Mar 9 2000", 4),
    ]
    let market = Market(prices)
    #expect(market.symbols == ["B", "A"])
    #expect(market.months.map(\.name) == ["Jan 2000", "Mar 2000"])
    #expect(market.closes.map(\.close) == [2, 1, 3, 4])
  }

  @Test func `The latest price of a month is its close`() throws {
    let prices = [
      try price("A", "Jan 9 2000", 1), try price("A", "Jan 31 2000", 2), try price("A", "Jan 10 2000", 3),
    ]
    #expect(Market(prices).closes.map(\.close) == [2])
  }

  @Test func `A new high beats all before, the first price beats none`() throws {
    let closes = [5.0, 6, 6, 4, 6.5]
    let moves = try Market(closes.enumerated().map { try price("A", "Jan 1 200\($0)", $1) }).moves
    #expect(moves.map(\.isNewHigh) == [false, true, false, false, true])
    #expect(moves.map(\.high) == [5, 6, 6, 6, 6.5])
    #expect(moves.map { $0.before?.close } == [nil, 5, 6, 6, 4])
  }

  @Test func `Companies do not disturb each other's moves`() throws {
    let prices = [
      try price("A", "Jan 1 2000", 100), try price("B", "Jan 1 2000", 10), try price("A", "Feb 1 2000", 90),
    ]
    let moves = Market(prices).moves
    #expect(moves.map(\.change) == [0, 0, 90.0 / 100 - 1])
  }

  @Test func `A fall by exactly a tenth is steep, by a cent less it is not`() throws {
    for dimes in 1...2000 {
      // By division of whole cents, so that the figures are those that a file would have.
      let first = Move(try price("A", "Jan 1 2000", Double(dimes) / 10), after: nil)
      let tenthLess = Move(try price("A", "Feb 1 2000", Double(dimes * 9) / 100), after: first)
      let almost = Move(try price("A", "Feb 1 2000", Double(dimes * 9 + 1) / 100), after: first)
      #expect(tenthLess.isSteepFall && !almost.isSteepFall, "from \(dimes) dimes")
    }
  }
}
