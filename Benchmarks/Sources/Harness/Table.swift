/// The report for people.
public struct Table {
  private static let labelWidth = 38

  public static func rows(_ measured: [Measured]) -> String {
    measured.map(rows).joined(separator: "\n")
  }

  private static func rows(_ measured: Measured) -> String {
    let floor = measured.values(of: measured.row.floor)
    var text = pad(measured.row.name, labelWidth + 2)
    text += padLeft(measured.row.unit.rawValue, 12) + padLeft("spread", 9)
    text += floor == nil ? "\n" : "   × \(measured.row.floor)\n"
    for (contender, values) in measured.samples {
      let summary = Summary(values)
      text += "  " + pad(contender, labelWidth) + padLeft(number(summary.median), 12)
      text += padLeft(spread(summary.knownSpread), 9)
      if let floor { text += padLeft(ratio(Summary(ratios(values, to: floor)).median), 10) }
      text += "\n"
    }
    return text
  }

  /// One decimal below a hundred, thousands kept apart above.
  static func number(_ value: Double) -> String {
    if !value.isFinite { return "-" }
    if value < 0 { return "-" + number(-value) }
    if value < 100 { return fixed(value, 1) }
    var digits = String(Int(value.rounded()))
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  static func ratio(_ value: Double) -> String {
    value.isFinite && value < 10 ? fixed(value, 2) : number(value)
  }

  static func spread(_ share: Double?) -> String { share.map { "±" + fixed($0 * 100, 1) + "%" } ?? "" }

  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scale = decimals == 1 ? 10 : 100
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  static func padLeft(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
