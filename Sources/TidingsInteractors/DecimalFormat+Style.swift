import Foundation

extension DecimalFormat.Style {
  func fractionDigits(_ locale: Locale) -> ClosedRange<Int> {
    switch self {
    case .number: return 1...3
    case .percent: return 0...2
    case .currency(let code):
      let one = Self.currency(code, locale).format(1)
      let count = max(0, one.count { $0.isNumber } - 1)
      return count...count
    }
  }

  /// The system writes a code for which it has no symbol as it is: a digit or a separator in it would be read as part of the
  /// number.
  private static func currency(_ code: String, _ locale: Locale) -> Decimal.FormatStyle.Currency {
    let isWellFormed = code.allSatisfy { $0.isASCII && $0.isLetter }
    return Decimal.FormatStyle.Currency(code: isWellFormed ? code : "XXX", locale: locale)
  }

  /// By how many places the separator of the text is to the right of that of the value.
  var places: Int { self == .percent ? 2 : 0 }

  /// The text that the system writes, with one fraction digit.
  func write(_ value: Decimal, _ locale: Locale) -> String {
    switch self {
    case .number: Decimal.FormatStyle(locale: locale).precision(.fractionLength(1)).format(value)
    case .currency(let code):
      Self.currency(code, locale).precision(.fractionLength(1)).format(value)
    case .percent: Decimal.FormatStyle.Percent(locale: locale).precision(.fractionLength(1)).format(value / 100)
    }
  }
}
