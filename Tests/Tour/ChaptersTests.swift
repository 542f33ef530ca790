import Foundation
import Testing

@testable import tour

/// Compares what the chapters print with figures counted here in the plainest way.
@MainActor
struct ChaptersTests {
  private let shipped: Prices
  private let market: Market
  private let symbols = ["MSFT", "AMZN", "IBM", "GOOG", "AAPL"]

  init() throws {
    shipped = try Prices(csv: String(contentsOf: Source.shippedFile, encoding: .utf8))
    market = Market(shipped.accepted)
  }

  private func lines(_ chapter: any Chapter.Type) async -> [String] {
    var lines: [String] = []
    await chapter.present(of: market, on: Page(isColoured: false) { lines.append($0) })
    return lines
  }

  private func tour(of prices: Prices, isColoured: Bool = false) async -> [String] {
    var lines: [String] = []
    await Tour.present(of: prices, on: Page(isColoured: isColoured) { lines.append($0) })
    return lines
  }

  /// The last words of the line that begins so.
  private func figures(_ count: Int, of start: String, in lines: [String]) throws -> [Substring] {
    try #require(lines.last { $0.hasPrefix("  " + start) }, "\(start)").split(separator: " ").suffix(count)
  }

  /// In which of the 45 months something was noted, for each strip of a chapter.
  private func strips(_ lines: [String]) -> [[Int]] {
    lines.filter { $0.hasSuffix(" noted") }.map { row in
      row.dropFirst(24).prefix(45).enumerated().filter { $0.element != "·" }.map(\.offset)
    }
  }

  @Test func `Same prices, same tour, within the width of a page; colours change nothing but the colour`() async {
    let first = await tour(of: shipped)
    #expect(await tour(of: shipped) == first)
    #expect(first.filter { $0.count > Page.width || $0.last == " " } == [])
    let coloured = await tour(of: shipped, isColoured: true)
    #expect(coloured != first && coloured.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") } == first)
  }

  @Test func `Highs, falls and alerts are those of the prices`() async throws {
    let (reactions, dialects) = (await lines(Reactions.self), await lines(Dialects.self))
    var total = 0
    for symbol in symbols {
      let closes = shipped.accepted.filter { $0.symbol == symbol }.map(\.close)
      let highs = closes.indices.dropFirst().count { closes[$0] > closes[..<$0].max()! }
      let falls = closes.indices.dropFirst().count { closes[$0] <= closes[$0 - 1] * 0.9 }
      #expect(try figures(2, of: symbol + " ", in: reactions) == ["\(highs)", "\(falls)"], "\(symbol)")
      total += falls
    }
    for alert in Dialects.alerts {
      let row = dialects.first { $0.contains(" \(alert.library) ") }
      #expect(row?.contains(" \(total) ") == true, "\(alert.library)")
    }
    let lines = await lines(Order.self)
    for (policy, misplaced) in [(".serial", 0), (".immediate", total)] {
      let row = try #require(lines.last { $0.contains(policy) }).split(separator: " ")
      #expect(row.prefix(4) == [policy[...], "\(560 + total)", "\(total)", "\(misplaced)"])
      #expect(row.contains("not") == (misplaced > 0))
    }
  }

  @Test func `Tokens, owners, pauses and buffers decide what is received, by actors in order`() async throws {
    let months = Array(0..<45)
    let lifetimes = [months, Array(0..<22), months.filter { !(11..<28 ~= $0) }, Array(0..<33), [0], [22]]
    #expect(strips(await lines(Lifetimes.self)) == lifetimes)
    // A slow reader takes one of every five, then what waits: of four, of four, of all.
    let newest = Array(stride(from: 1, through: 41, by: 5)) + [42, 43, 44]
    let oldest = [0, 1, 2, 3] + Array(stride(from: 5, through: 40, by: 5))
    #expect(strips(await lines(Streams.self)) == [newest, oldest, months])
    let actors = await lines(Actors.self)
    for name in ["board ", "ledger "] {
      #expect(try figures(5, of: name, in: actors) == ["560", "yes", "123", "of", "123"])
    }
  }

  @Test func `Observers add up what never was, a derived value does not`() async throws {
    var latest: [String: Double] = [:]
    var (worths, sums): (Set<Double>, [Double]) = ([], [])
    let days = Dictionary(grouping: shipped.accepted, by: \.day).sorted { $0.key < $1.key }
    for (_, prices) in days {
      for price in symbols.compactMap({ symbol in prices.first { $0.symbol == symbol } }) {
        latest[price.symbol] = price.close
        sums.append(symbols.reduce(0) { $0 + (latest[$1] ?? 0) })
      }
      worths.insert(sums.last!)
    }
    let wrong = sums.count { !worths.contains($0) }
    let lines = await lines(Values.self)
    #expect(try figures(2, of: "an observer of each price", in: lines) == ["\(sums.count)", "\(wrong)"])
    #expect(try figures(2, of: "Derived, a transaction", in: lines) == ["\(days.count)", "0"])
  }

  @Test(arguments: [
    "A,Jan 1 2000,5",
    "A,Jan 1 0001,5\nB,Dec 31 9999,10000000\nABCDEFGHIJKL,Jan 1 5000,0.0001",
    (1...12).map { "COMPANY\($0),Jan 1 2000,\($0)\nCOMPANY\($0),Feb 1 2000,\(13 - $0)" }.joined(separator: "\n"),
  ])
  func `Any market has its tour, within the width of a page`(rows: String) async throws {
    let tour = await tour(of: try Prices(csv: "symbol,date,price\n\(rows)\n"))
    #expect(chapters.indices.allSatisfy { index in tour.contains { $0.hasPrefix("\(index + 1)  ") } })
    #expect(tour.filter { $0.count > Page.width } == [])
  }

  @Test func `The code a chapter shows is the code it runs`() throws {
    let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../Tour/Chapters").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let sources = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    let rows = sources.flatMap { $0.split(separator: "\n").map { $0.drop(while: \.isWhitespace) } }
    for chapter in chapters {
      for shown in chapter.code.split(separator: "\n").map({ $0.drop(while: \.isWhitespace) }) where shown != "…" {
        #expect(rows.count { $0 == shown } >= 2, "\(chapter): \(shown)")
      }
    }
  }
}
