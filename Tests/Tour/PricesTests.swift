import Foundation
import Testing

@testable import tour

struct PricesTests {
  @Test func `The shipped file has 560 rows of 5 companies and no bad one`() throws {
    let prices = try Prices(csv: String(contentsOf: Source.shippedFile, encoding: .utf8))
    #expect(prices.accepted.count == 560)
    #expect(Set(prices.accepted.map(\.symbol)) == ["MSFT", "AMZN", "IBM", "GOOG", "AAPL"])
    #expect(prices.rejected.isEmpty)
    #expect(prices.accepted[0] == Price(symbol: "MSFT", day: Day("Jan 1 2000")!, close: 39.81))
    #expect(prices.accepted[559] == Price(symbol: "AAPL", day: Day("Mar 1 2010")!, close: 223.02))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `Lines may end in any way`(end: String) throws {
    let rows = ["symbol,date,price", "A,Jan 1 2000,1", "B,Jan 1 2000,x", "", "C,Jan 1 2000,3"]
    let prices = try Prices(csv: rows.joined(separator: end))
    #expect(prices.accepted.map(\.symbol) == ["A", "C"])
    #expect(prices.rejected.map(\.line) == [3])
  }

  @Test func `A byte order mark and blank lines are skipped, and counted as lines`() throws {
    let prices = try Prices(csv: "\u{FEFF}\n  \nsymbol,date,price\n\nA,Jan 1 2000,1\n \t\nB,Jan 1 2000\n\n")
    #expect(prices.accepted.map(\.symbol) == ["A"])
    #expect(prices.rejected.map(\.line) == [7])
    let marked = try Prices(csv: "\u{FEFF}symbol,date,price\nA,Jan 1 2000,1")
    #expect(marked.accepted.count == 1)
  }

  @Test func `Columns are found by name, others are ignored`() throws {
    let prices = try Prices(csv: #"Price , "Date",volume,SYMBOL"# + "\n1.5,Jan 1 2000,900,A\n1.5,Jan 1 2000,A\n")
    #expect(prices.accepted == [Price(symbol: "A", day: Day("Jan 1 2000")!, close: 1.5)])
    #expect(prices.rejected == [.init(line: 3, reason: "3 fields instead of 4")])
  }

  @Test(arguments: ["", "\n\n", "A,Jan 1 2000,1\n", "symbol;date;price\n", "symbol,date\n", "\"symbol,date,price\n"])
  func `Without a header nothing is read`(text: String) {
    #expect(throws: Prices.NoHeader.self) { try Prices(csv: text) }
  }

  @Test func `A header alone is a list without prices`() throws {
    let prices = try Prices(csv: "symbol,date,price")
    #expect(prices.accepted.isEmpty && prices.rejected.isEmpty)
  }

  @Test(arguments: [
    (",Jan 1 2000,1", "no symbol"),
    ("ABCDEFGHIJKLM,Jan 1 2000,1", #"the symbol "ABCDEFGHIJKLM" is not 1 to 12 letters, digits or signs"#),
    ("\u{1B}[31m,Jan 1 2000,1", #"the symbol "\u{1B}[31m" is not 1 to 12 letters, digits or signs"#),
    ("A B,Jan 1 2000,1", #"the symbol "A B" is not 1 to 12 letters, digits or signs"#),
    ("A,2000-01-01,1", #"the date "2000-01-01" is no day written like Jan 1 2000"#),
    ("A,Jan 1 2000,", "no price"),
    ("A,Jan 1 2000,nan", #"the price "nan" is not a number"#),
    ("A,Jan 1 2000,inf", #"the price "inf" is not a number"#),
    ("A,Jan 1 2000,0x1p3", #"the price "0x1p3" is not a number"#),
    ("A,Jan 1 2000,$5", #"the price "$5" is not a number"#),
    ("A,Jan 1 2000,\"1,234.5\"", #"the price "1,234.5" is not a number"#),
    ("A,Jan 1 2000,0", #"the price "0" is not above 0"#),
    ("A,Jan 1 2000,-39.81", #"the price "-39.81" is not above 0"#),
    ("A,Jan 1 2000,1e999", #"the price "1e999" is not between 0.0001 and 10,000,000 dollars"#),
    ("A,Jan 1 2000,1e-9", #"the price "1e-9" is not between 0.0001 and 10,000,000 dollars"#),
    ("A,Jan 1 2000,39,81", "4 fields instead of 3"),
    ("A", "1 field instead of 3"),
    ("\"A,Jan 1 2000,1", "a quote that is never closed"),
    ("\"A\"B,Jan 1 2000,1", "text after a closing quote"),
    ("A\"B,Jan 1 2000,1", "a quote in the middle of a field"),
  ])
  func `A bad row is rejected with its reason, and the rest is read`(row: String, reason: String) throws {
    let prices = try Prices(csv: "symbol,date,price\n\(row)\nB,Jan 1 2000,2\n")
    #expect(prices.rejected == [.init(line: 2, reason: reason)])
    #expect(prices.accepted.map(\.symbol) == ["B"])
  }

  @Test func `A second price of a day is rejected`() throws {
    let prices = try Prices(csv: "symbol,date,price\nA,Jan 1 2000,1\nA,Jan 2 2000,2\nB,Jan 1 2000,3\nA,Jan 01 2000,4\n")
    #expect(prices.accepted.map(\.close) == [1, 2, 3])
    #expect(
      prices.rejected.map(\.description) == ["line 5: a second price of A for that day, the first is in line 2"])
  }

  @Test func `Long fields are cut short in reasons`() throws {
    let prices = try Prices(csv: "symbol,date,price\nA,\(String(repeating: "x", count: 5000)),1\n")
    #expect(prices.rejected[0].reason.count < 100)
  }
}
