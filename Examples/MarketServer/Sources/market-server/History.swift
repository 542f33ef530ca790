import Foundation

/// Ten years of monthly prices, as the tour's file has them.
struct History {
  let symbols: [String]
  /// In order of time; nil where a company was not yet traded.
  let months: [(name: String, prices: [Double?])]

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  init(_ file: URL) throws {
    var (symbols, months) = ([String](), [String]())
    var prices: [String: [String: Double]] = [:]
    let text = try String(contentsOf: file, encoding: .utf8)
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated().dropFirst() {
      let fields = line.split(separator: ",").map(String.init)
      // "Jan 1 2000": the month and the year are what differs.
      let day = fields.count == 3 ? fields[1].split(separator: " ") : []
      guard day.count == 3, let price = Double(fields[2]) else {
        throw Unreadable(
          description: "line \(index + 1) of \(file.lastPathComponent) is not symbol,date,price: \(line)")
      }
      let month = "\(day[0]) \(day[2])"
      if !symbols.contains(fields[0]) { symbols.append(fields[0]) }
      // The first symbol of the file has all months.
      if symbols.count == 1 { months.append(month) }
      prices[month, default: [:]][fields[0]] = price
    }
    if months.isEmpty { throw Unreadable(description: "\(file.lastPathComponent) has no prices") }
    self.symbols = symbols
    self.months = months.map { month in (month, symbols.map { prices[month]?[$0] }) }
  }
}
