import Foundation
import Testing

@testable import tour

/// The input of the tour: a command line and a file of prices.
struct ReadingTests {
  @Test(
    arguments: [
      ([], .tour(.shippedPrices)), (["-"], .tour(.standardInput)),
      (["own.csv", "--interactive"], .interactive(.file("own.csv"))),
      (["--", "--help"], .tour(.file("--help"))), (["own.csv", "-h"], .help),
      (["--colour"], nil), (["a.csv", "b.csv"], nil), (["-", "-"], nil), (["--interactive", "-"], nil),
    ] as [([String], Arguments?)])
  func `A command line is understood, or rejected`(words: [String], arguments: Arguments?) {
    #expect((try? Arguments(words)) == arguments)
  }

  @Test func `Rows are read with any line ending, columns by their name, bad rows are rejected with their line`() throws
  {
    #expect(throws: Prices.NoHeader.self) { try Prices(csv: "symbol,date\nA,Jan 1 2000\n") }
    for end in ["\n", "\r\n", "\r"] {
      let rows = [
        "\u{FEFF}", #"Price , "Date",volume,SYMBOL"#, #" 1.5,Jan 1 2000,"9,0", "B.K" "#, " \t", "1,Jan 1 2000",
        "2,Jan 2 2000,1,A", "3,Jan 02 2000,1,A",
      ]
      let prices = try Prices(csv: rows.joined(separator: end))
      #expect(prices.accepted.map(\.symbol) == ["B.K", "A"] && prices.accepted.map(\.close) == [1.5, 2])
      let reasons = ["2 fields instead of 4", "a second price of A for that day, the first is in line 6"]
      #expect(prices.rejected == zip([5, 7], reasons).map { .init(line: $0, reason: $1) })
    }
  }

  @Test(arguments: [
    (",Jan 1 2000,1", "no symbol"),
    ("ABCDEFGHIJKLM,Jan 1 2000,1", #"the symbol "ABCDEFGHIJKLM" is not 1 to 12 letters, digits or signs"#),
    ("\u{1B}[31m,Jan 1 2000,1", #"the symbol "\u{1B}[31m" is not 1 to 12 letters, digits or signs"#),
    ("A,2000-01-01,1", #"the date "2000-01-01" is no day written like Jan 1 2000"#),
    ("A,Feb 29 1900,1", #"the date "Feb 29 1900" is no day written like Jan 1 2000"#),
    ("A,Jan 1 2000,", "no price"),
    ("A,Jan 1 2000,0x1p3", #"the price "0x1p3" is not a number"#),
    ("A,Jan 1 2000,nan", #"the price "nan" is not a number"#),
    ("A,Jan 1 2000,0", #"the price "0" is not above 0"#),
    ("A,Jan 1 2000,1e999", #"the price "1e999" is not between 0.0001 and 10,000,000 dollars"#),
    ("\"A,Jan 1 2000,1", "a quote that is never closed"),
    ("\"A\"B,Jan 1 2000,1", "text after a closing quote"),
    ("A\"B,Jan 1 2000,1", "a quote in the middle of a field"),
  ])
  func `A bad row is rejected with its reason, and the rest is read`(row: String, reason: String) throws {
    let prices = try Prices(csv: "symbol,date,price\n\(row)\nB,Jan 1 2000,2\n")
    #expect(prices.rejected == [.init(line: 2, reason: reason)])
    #expect(prices.accepted.map(\.symbol) == ["B"])
  }

  @Test func `A fall by exactly a tenth is steep, by a cent less it is not`() throws {
    let day = try #require(Day("Jan 1 2000"))
    let closes = [100, 90, 90.01].map { Price(symbol: "A", day: day, close: $0) }
    let first = Move(closes[0], after: nil)
    #expect(Move(closes[1], after: first).isSteepFall && !Move(closes[2], after: first).isSteepFall)
  }
}
