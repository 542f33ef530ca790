/// The price of a share of one company on one day, in dollars.
struct Price: Hashable, Sendable {
  let symbol: String
  let day: Day
  let close: Double
}

/// The prices of a file, and the rows of it that hold none.
///
///     let prices = try Prices(csv: "symbol,date,price\nIBM,Jan 1 2000,100.52\n")
///
/// The columns are found by their names in the header, others are ignored. Blank lines are skipped. Every other line
/// gives a price or a rejection.
struct Prices: Sendable {
  /// In the order of the file.
  private(set) var accepted: [Price] = []
  private(set) var rejected: [Rejection] = []

  /// A row without a price: its line in the file, counted from 1, and why.
  struct Rejection: Error, Equatable, CustomStringConvertible {
    let line: Int
    let reason: String
    var description: String { "line \(line): \(reason)" }
  }

  /// The text has no header, so none of its rows can be read.
  struct NoHeader: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  init(csv text: String) throws(NoHeader) {
    let lines = CSV.lines(of: text).enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
    guard let header = lines.first else { throw NoHeader(description: "it is empty") }
    guard let columns = Columns(header: header.element) else {
      throw NoHeader(
        description: "line \(header.offset + 1) does not name the columns symbol, date and price, "
          + "but reads \(quoted(String(header.element)))")
    }
    var firstLines: [Key: Int] = [:]
    for (offset, text) in lines.dropFirst() {
      let line = offset + 1
      do throws(CSV.Fault) {
        let price = try columns.price(in: text)
        let key = Key(symbol: price.symbol, day: price.day)
        if let earlier = firstLines[key] {
          throw CSV.Fault(reason: "a second price of \(price.symbol) for that day, the first is in line \(earlier)")
        }
        firstLines[key] = line
        accepted.append(price)
      } catch {
        rejected.append(Rejection(line: line, reason: error.reason))
      }
    }
  }

  private struct Key: Hashable {
    let symbol: String
    let day: Day
  }
}

/// The columns of the header.
private struct Columns {
  let symbol: Int
  let date: Int
  let price: Int
  let count: Int

  init?(header: Substring) {
    guard let names = try? CSV.fields(of: header).map({ $0.lowercased() }),
      let symbol = names.firstIndex(of: "symbol"), let date = names.firstIndex(of: "date"),
      let price = names.firstIndex(of: "price")
    else { return nil }
    (self.symbol, self.date, self.price, count) = (symbol, date, price, names.count)
  }

  func price(in line: Substring) throws(CSV.Fault) -> Price {
    let fields = try CSV.fields(of: line)
    guard fields.count == count else {
      throw CSV.Fault(reason: "\(fields.count == 1 ? "1 field" : "\(fields.count) fields") instead of \(count)")
    }
    let symbol = try checkedSymbol(fields[symbol])
    guard let day = Day(fields[date]) else {
      throw CSV.Fault(reason: "the date \(quoted(fields[date])) is no day written like Jan 1 2000")
    }
    return Price(symbol: symbol, day: day, close: try checkedClose(fields[price]))
  }

  /// A symbol is written to the terminal as it is, in a column: nothing that a terminal would obey, nothing endless.
  private func checkedSymbol(_ text: String) throws(CSV.Fault) -> String {
    guard !text.isEmpty else { throw CSV.Fault(reason: "no symbol") }
    guard text.count <= 12, text.unicodeScalars.allSatisfy({ "!"..."~" ~= $0 }) else {
      throw CSV.Fault(reason: "the symbol \(quoted(text)) is not 1 to 12 letters, digits or signs")
    }
    return text
  }

  private func checkedClose(_ text: String) throws(CSV.Fault) -> Double {
    guard !text.isEmpty else { throw CSV.Fault(reason: "no price") }
    // Double would read `nan`, `inf` and `0x1p3` too.
    let isPlain = text.unicodeScalars.allSatisfy { "0"..."9" ~= $0 || "+-.eE".unicodeScalars.contains($0) }
    guard isPlain, let close = Double(text) else {
      throw CSV.Fault(reason: "the price \(quoted(text)) is not a number")
    }
    guard close > 0 else { throw CSV.Fault(reason: "the price \(quoted(text)) is not above 0") }
    guard 0.0001...10_000_000 ~= close else {
      throw CSV.Fault(reason: "the price \(quoted(text)) is not between 0.0001 and 10,000,000 dollars")
    }
    return close
  }
}

/// Text of a stranger's file in a message: short, and with its control characters made visible.
private func quoted(_ text: String) -> String {
  text.count > 40 ? "\(String(text.prefix(40)).debugDescription)…" : text.debugDescription
}
