import Foundation
import TidingsTesting

/// A number as people write it somewhere, and the values that such a text has in one country or another.
struct WrittenNumber {
  let text: String
  /// Without the sign and the currency.
  let body: String
  /// One value, or two: “1.234” is a thousand here and a little more than one there.
  let readings: Set<Decimal>

  static let symbols = ["€", "$", "US$", "USD", "EUR", "£"]
  private static let numbers = [
    "5", ".5", "0.5", "0.50", ".99", "12.5", "12.50", "0.500", "1.25", "100", "1234", "1234.5", "1234.56", "1234.567",
    "12.345",
    "12345", "1234567", "1234567.8", "0.125", "12345678", "1000", "10.00",
  ]

  init(_ random: inout SplitMix64, symbols: [String]) {
    func any<Value>(_ values: [Value]) -> Value { values[random.number(below: values.count)] }
    let plain = any(Self.numbers)
    let decimal: Character = any([".", ","])
    let groupings = ["", "", ",", ".", "'", "’", " ", "\u{A0}", "\u{202F}", "\u{2009}"].filter { $0 != String(decimal) }
    body = Self.written(plain, decimal: decimal, grouping: any(groupings))
    let symbol = any(symbols)
    let space = any(["", " ", "\u{A0}"])
    let sign = any(["-", "−", "–"])
    // The sum of money, and where its sign is.
    let money = any([body, body, symbol + space + body, body + space + symbol])
    let isBefore = money.hasPrefix(symbol)
    let texts =
      [
        (1, money), (1, money), (-1, sign + money), (-1, money + sign), (-1, "(\(money))"),
        (-1, isBefore ? symbol + space + sign + body : body + sign + money.dropFirst(body.count)),
        (-1, isBefore ? symbol + space + body + sign : sign + money),
        (-1, isBefore ? symbol + space + "(\(body))" : "(\(body))" + money.dropFirst(body.count)),
      ] as [(Decimal, String)]
    let (factor, written) = any(texts)
    text = written

    let value = Decimal(string: plain.hasPrefix(".") ? "0" + plain : plain) ?? 0
    var readings: Set<Decimal> = [value * factor]
    let marks = body.filter { ".,".contains($0) }
    let parts = body.split(omittingEmptySubsequences: false) { ".,".contains($0) }
    if marks.count == 1, body.count == parts[0].count + 4, 1...3 ~= parts[0].count, !parts[0].hasPrefix("0") {
      for other in ["", "."] {
        readings.insert((Decimal(string: parts[0] + other + parts[1]) ?? 0) * factor)
      }
    }
    self.readings = readings
  }

  private static func written(_ plain: String, decimal: Character, grouping: String) -> String {
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    var text = ""
    for (index, digit) in parts[0].enumerated() {
      if index > 0, (parts[0].count - index) % 3 == 0 { text += grouping }
      text.append(digit)
    }
    return parts.count > 1 ? text + String(decimal) + parts[1] : text
  }
}
