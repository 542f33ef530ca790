import Foundation
import TidingsInteractors

/// How numbers are written in one country, looked up by a person, and the format that reads it off the system.
struct EditingWorld: Sendable {
  let name: String
  let format: DecimalFormat
  var digits = Array("0123456789")
  var separator: Character = "."
  var grouping: Character = ","
  var others = 3
  /// The number of digits before anything is grouped.
  var least = 4
  var minus = "-"
  /// Before and after the digits when the symbol is shown, and when the number is negative.
  var affixes = (before: "", after: "")
  var negative = (before: "-", after: "")
  var symbol = ""
  var integerDigits = 8
  var fractionDigits = 3
  var places = 0
  var allowsNegative = true

  init(_ name: String, _ style: DecimalFormat.Style = .number, _ change: (inout EditingWorld) -> Void) {
    self.name = name
    let locale = Locale(identifier: name)
    format = DecimalFormat(style, locale: locale)
    change(&self)
  }

  init(_ name: String, format: DecimalFormat, _ change: (inout EditingWorld) -> Void) {
    self.name = name
    self.format = format
    change(&self)
  }

  static let all: [EditingWorld] = [
    EditingWorld("en_US") { _ in },
    EditingWorld("de_DE") { ($0.separator, $0.grouping) = (",", ".") },
    EditingWorld("fr_FR") { ($0.separator, $0.grouping) = (",", "\u{202F}") },
    EditingWorld("es_ES") { ($0.separator, $0.grouping, $0.least) = (",", ".", 5) },
    EditingWorld("hi_IN") { $0.others = 2 },
    EditingWorld("fa_IR") {
      ($0.separator, $0.grouping, $0.digits) = ("٫", "٬", Array("۰۱۲۳۴۵۶۷۸۹"))
      ($0.minus, $0.negative) = ("\u{200E}−", ("\u{200E}−", ""))
    },
    EditingWorld("en_US", .currency(code: "EUR")) {
      ($0.symbol, $0.affixes, $0.negative, $0.fractionDigits) = ("€", ("€", ""), ("-€", ""), 2)
    },
    EditingWorld("de_DE", .currency(code: "EUR")) {
      ($0.separator, $0.grouping) = (",", ".")
      ($0.symbol, $0.affixes, $0.negative, $0.fractionDigits) = ("€", ("", "\u{A0}€"), ("-", "\u{A0}€"), 2)
    },
    EditingWorld("de_CH", .currency(code: "EUR")) {
      $0.grouping = "’"
      ($0.symbol, $0.affixes, $0.negative, $0.fractionDigits) = ("EUR", ("EUR\u{A0}", ""), ("EUR-", ""), 2)
    },
    EditingWorld("ar_EG", .currency(code: "EGP")) {
      ($0.separator, $0.grouping, $0.digits) = ("٫", "٬", Array("٠١٢٣٤٥٦٧٨٩"))
      ($0.minus, $0.symbol, $0.fractionDigits) = ("\u{61C}-", "ج.م.", 2)
      $0.affixes = ("\u{200F}", "\u{A0}ج.م.\u{200F}")
      $0.negative = ("\u{61C}-\u{200F}", "\u{A0}ج.م.\u{200F}")
    },
    EditingWorld("de_DE", .percent) {
      ($0.separator, $0.grouping) = (",", ".")
      ($0.symbol, $0.affixes, $0.negative) = ("%", ("", "\u{A0}%"), ("-", "\u{A0}%"))
      ($0.fractionDigits, $0.places) = (2, 2)
    },
    EditingWorld(
      "en_US",
      format: DecimalFormat(
        locale: Locale(identifier: "en_US"), maximumIntegerDigits: 3, fractionDigits: 0...1, allowsNegative: false)
    ) {
      ($0.integerDigits, $0.fractionDigits, $0.allowsNegative) = (3, 1, false)
    },
  ]

  /// The keys that separate decimals: the separator, and the dot and the comma where they do not group.
  var decimalKeys: [Character] {
    [separator] + [".", ","].filter { $0 != grouping && !(separator == "٫" && $0 == ",") }
  }

  /// A plain number, as "-1234.5", in the characters of the country; nothing is grouped.
  func characters(_ plain: some StringProtocol) -> String {
    plain.reduce(into: "") { text, character in
      switch character {
      case "-": text += minus
      case ".": text.append(separator)
      default: text.append(character.wholeNumberValue.map { digits[$0] } ?? character)
      }
    }
  }

  func around(isNegative: Bool, hasSymbol: Bool) -> (before: String, after: String) {
    if hasSymbol { return isNegative ? negative : affixes }
    return (isNegative ? minus : "", "")
  }

  /// Each character of the text of a plain number, and whether it is one of the plain number's.
  func cells(_ plain: String, hasSymbol: Bool) -> [(character: Character, counts: Bool)] {
    if plain.isEmpty { return [] }
    let isNegative = plain.hasPrefix("-")
    let integer = plain.drop { $0 == "-" }.prefix { $0 != "." }
    let rest = plain.drop { $0 == "-" }.dropFirst(integer.count)
    let affixes = around(isNegative: isNegative, hasSymbol: hasSymbol)
    var cells = affixes.before.map { (character: $0, counts: "-−".contains($0)) }
    for (index, digit) in characters(integer).enumerated() {
      let left = integer.count - index
      let isBoundary = left == 3 || left > 3 && (left - 3) % others == 0
      if index > 0, isBoundary, integer.count >= least { cells.append((grouping, false)) }
      cells.append((digit, true))
    }
    cells += characters(rest).map { ($0, true) }
    return cells + affixes.after.map { ($0, false) }
  }
}
