import Foundation
import Testing

@testable import tour

/// What the chapters print, against figures counted here in the plainest way.
@MainActor
struct ChaptersTests {
  private let shipped: Prices

  init() throws {
    shipped = try Prices(csv: String(contentsOf: Source.shippedFile, encoding: .utf8))
  }

  private func lines(_ chapter: any Chapter.Type, _ market: Market) async -> [String] {
    var lines: [String] = []
    await chapter.present(of: market, on: Page(isColoured: false) { lines.append($0) })
    return lines
  }

  private func tour(of prices: Prices) async -> [String] {
    var lines: [String] = []
    await Tour.present(of: prices, on: Page(isColoured: false) { lines.append($0) })
    return lines
  }

  @Test func `Same prices, same tour`() async {
    let first = await tour(of: shipped)
    for _ in 0..<20 { #expect(await tour(of: shipped) == first) }
  }

  @Test func `Highs and falls are those of the prices`() async throws {
    let lines = await lines(Reactions.self, Market(shipped.accepted))
    for symbol in ["MSFT", "AMZN", "IBM", "GOOG", "AAPL"] {
      let closes = shipped.accepted.filter { $0.symbol == symbol }.map(\.close)
      let highs = closes.indices.dropFirst().count { closes[$0] > closes[..<$0].max()! }
      let falls = closes.indices.dropFirst().count { closes[$0] <= closes[$0 - 1] * 0.9 }
      let row = try #require(lines.first { $0.hasPrefix("  \(symbol) ") }).split(separator: " ")
      #expect(row.suffix(2) == ["\(highs)", "\(falls)"], "\(symbol)")
    }
  }

  @Test func `Serial keeps the order, immediate does not`() async throws {
    let market = Market(shipped.accepted)
    let falls = market.moves.count(where: \.isSteepFall)
    let lines = await lines(Order.self, market)
    let serial = try #require(lines.last { $0.contains(".serial") }).split(separator: " ")
    #expect(serial.prefix(4) == [".serial", "\(market.closes.count + falls)", "\(falls)", "0"])
    #expect(serial.dropFirst(4) == ["the", "ledger's", "order"])
    let immediate = try #require(lines.last { $0.contains(".immediate") }).split(separator: " ")
    #expect(immediate.prefix(4) == [".immediate", "\(market.closes.count + falls)", "\(falls)", "\(falls)"])
    #expect(immediate.dropFirst(4) == ["not", "the", "ledger's", "order"])
  }

  @Test func `Tokens, owners and pauses decide what is received`() async throws {
    let lines = await lines(Lifetimes.self, Market(shipped.accepted))
    let rows = lines.filter { $0.hasSuffix(" noted") }
    let noted = rows.map { $0.split(separator: " ").dropLast().last }
    // Of 45: all; to the middle; without the second quarter and an eighth; three quarters; one; one.
    #expect(noted == ["45", "22", "28", "33", "1", "1"])
    let strips = rows.map { $0.dropFirst(24).prefix(45).map { $0 != "·" } }
    let months = 0..<45
    #expect(strips[0] == months.map { _ in true })
    #expect(strips[1] == months.map { $0 < 22 })
    #expect(strips[2] == months.map { !(11..<28 ~= $0) })
    #expect(strips[3] == months.map { $0 < 33 })
    #expect(strips[4] == months.map { $0 == 0 })
    #expect(strips[5] == months.map { $0 == 22 })
  }

  @Test func `Both actors receive everything in order, the slow one too`() async throws {
    let lines = await lines(Actors.self, Market(shipped.accepted))
    for name in ["board", "ledger"] {
      let row = try #require(lines.first { $0.hasPrefix("  \(name) ") })
      #expect(row.split(separator: " ").suffix(5) == ["560", "yes", "123", "of", "123"])
    }
    let figures = lines.map { $0.filter { $0 != "█" }.split(separator: " ") }
    #expect(figures.contains(["Mar", "2010", "559", "0", "559"]))
    #expect(figures.contains(["opened", "560", "560", "0"]))
    #expect(lines.last?.hasSuffix("board yes, ledger yes.") == true)
  }

  @Test func `Observers add up what never was, a derived value does not`() async throws {
    let lines = await lines(Values.self, Market(shipped.accepted))
    var latest: [String: Double] = [:]
    var (worths, mixes): (Set<Double>, [Double]) = ([], [])
    let symbols = ["MSFT", "AMZN", "IBM", "GOOG", "AAPL"]
    let days = Dictionary(grouping: shipped.accepted, by: \.day).sorted { $0.key < $1.key }
    for (_, prices) in days {
      for symbol in symbols {
        guard let price = prices.first(where: { $0.symbol == symbol }) else { continue }
        latest[symbol] = price.close
        mixes.append(symbols.reduce(0) { $0 + (latest[$1] ?? 0) })
      }
      worths.insert(mixes.last!)
    }
    #expect(days.count == worths.count)
    let wrong = mixes.count { !worths.contains($0) }
    #expect(wrong > 400)
    let observers = try #require(lines.first { $0.hasPrefix("  an observer of each price") }).split(separator: " ")
    #expect(observers.suffix(3) == ["\(mixes.count)", "\(mixes.count)", "\(wrong)"])
    let derived = try #require(lines.first { $0.hasPrefix("  Derived, a transaction") }).split(separator: " ")
    #expect(derived.suffix(3) == ["\(days.count + 1)", "\(days.count)", "0"])

    // The dearest share.
    latest = [:]
    var leads: [String] = []
    for (_, prices) in days {
      for price in prices { latest[price.symbol] = price.close }
      let dearest = latest.max { $0.value < $1.value }!.key
      if leads.last != dearest { leads.append(dearest) }
    }
    #expect(lines.joined(separator: " ").contains("\(leads.count) of \(days.count) times"))
  }

  @Test func `A slow reader misses what its buffer had no room for, and sees the last price`() async throws {
    let market = Market(shipped.accepted)
    let count = 45
    /// Which closes a reader is given that takes one of every five.
    func given(capacity: Int, keepsNewest: Bool) -> [Int] {
      var (waiting, given, emitted): ([Int], [Int], Int) = ([], [], 0)
      repeat {
        for number in emitted..<min(emitted + 5, count) {
          if waiting.count == capacity, keepsNewest { waiting.removeFirst() }
          if waiting.count < capacity { waiting.append(number) }
        }
        emitted = min(emitted + 5, count)
        given.append(waiting.removeFirst())
      } while !waiting.isEmpty || emitted < count
      return given
    }
    let expected = [
      given(capacity: 4, keepsNewest: true), given(capacity: 4, keepsNewest: false),
      given(capacity: .max, keepsNewest: true),
    ]
    let lines = await lines(Streams.self, market)
    let strips = lines.filter { $0.hasSuffix(" noted") }.map { row in
      row.dropFirst(24).prefix(count).enumerated().filter { $0.element != "·" }.map(\.offset)
    }
    #expect(strips == expected)
    let names = [".newest(4)", ".oldest(4)", ".unbounded"]
    for (name, given) in zip(names, expected) {
      let row = try #require(lines.last { $0.hasPrefix("  \(name)") }).split(separator: " ")
      #expect(row.dropFirst().prefix(2) == ["\(given.count)", "\(count - given.count)"])
    }
    let text = lines.joined(separator: " ")
    #expect(text.contains("as its numbers show them: 0, 2–5, 7–10,"))
    let last = try #require(market.closes.last { $0.symbol == "MSFT" })
    #expect(text.contains("· \(last.close.dollars). The last that the reader saw is the last close: yes."))
  }

  @Test(arguments: [
    "A,Jan 1 2000,5",
    "A,Jan 1 2000,5\nA,Feb 1 2000,5\nA,Mar 1 2000,5",
    "A,Jan 1 2000,5\nA,Feb 1 2000,4",
    "A,Jan 1 0001,5\nB,Dec 31 9999,10000000\nABCDEFGHIJKL,Jan 1 5000,0.0001",
    "A,Jan 1 2000,5\nA,Jan 2 2000,6",
    "A,Jan 1 2000,10000000\nB,Jan 1 2000,10000000\nC,Jan 1 2000,10000000\nA,Feb 1 2000,1\nB,Feb 1 2000,1",
    (1...12).map { "COMPANY\($0),Jan 1 2000,\($0)\nCOMPANY\($0),Feb 1 2000,\(13 - $0)" }.joined(separator: "\n"),
  ])
  func `Any market has its tour, within the width of a page`(rows: String) async throws {
    let prices = try Prices(csv: "symbol,date,price\n\(rows)\n")
    #expect(prices.rejected.isEmpty)
    let tour = await tour(of: prices)
    #expect(chapters.indices.allSatisfy { index in tour.contains { $0.hasPrefix("\(index + 1)  ") } })
    #expect(tour.filter { $0.count > Page.width } == [])
  }

  @Test func `The shipped tour keeps within the width of a page and has no blanks at its ends`() async {
    let tour = await tour(of: shipped)
    #expect(tour.filter { $0.count > Page.width || $0.last == " " } == [])
  }

  @Test func `Colours change nothing but the colour`() async {
    var coloured: [String] = []
    await Tour.present(of: shipped, on: Page(isColoured: true) { coloured.append($0) })
    let plain = coloured.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") }
    #expect(coloured != plain)
    #expect(await tour(of: shipped) == plain)
  }

  @Test func `The code a chapter shows is the code it runs`() throws {
    let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../Tour/Chapters").standardized
    let files =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let sources = try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
    let rows = sources.flatMap { $0.split(separator: "\n").map { $0.drop(while: \.isWhitespace) } }
    for chapter in chapters {
      for shown in chapter.code.split(separator: "\n").map({ $0.drop(while: \.isWhitespace) }) where shown != "…" {
        #expect(rows.count { $0 == shown } >= 2, "\(chapter): \(shown)")
      }
    }
  }

  @Test func `Every dialect raises the falls that are there`() async {
    let market = Market(shipped.accepted)
    let falls = market.moves.filter(\.isSteepFall)
    let lines = await lines(Dialects.self, market)
    for alert in Dialects.alerts {
      let row = lines.first { $0.contains(" \(alert.library) ") }
      #expect(row?.contains(" \(falls.count) ") == true, "\(alert.library)")
    }
    #expect(lines.contains { $0.hasPrefix("Six times the same alerts") })
  }
}
