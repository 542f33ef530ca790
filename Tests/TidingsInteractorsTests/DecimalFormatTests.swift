import Foundation
import Testing
import TidingsInteractors

@Suite("DecimalFormat")
struct DecimalFormatTests {
  static let locales = [
    "en_US", "de_DE", "fr_FR", "de_CH", "hi_IN", "ar_EG", "es_ES", "fa_IR", "he_IL", "sv_SE", "fy_NL",
  ]
  static let styles: [DecimalFormat.Style] = [
    .number, .currency(code: "EUR"), .currency(code: "KWD"), .currency(code: "JPY"), .percent,
  ]
  static let numbers = ["0", "1234.5", "-0.25", "1000000", "-12345678.125", "0.0625", "99999.9995", "7", "0.000001"]

  private func decimal(_ digits: String) throws -> Decimal { try #require(Decimal(string: digits)) }

  @Test("a number is written as the system writes it", arguments: locales, styles)
  func asTheSystem(_ id: String, _ style: DecimalFormat.Style) throws {
    let locale = Locale(identifier: id)
    let format = DecimalFormat(style, locale: locale, fractionDigits: 1...3)
    for digits in Self.numbers {
      let value = try decimal(digits)
      let system =
        switch style {
        case .number: Decimal.FormatStyle(locale: locale).precision(.fractionLength(1...3)).format(value)
        case .percent: Decimal.FormatStyle.Percent(locale: locale).precision(.fractionLength(1...3)).format(value)
        case .currency(let code):
          Decimal.FormatStyle.Currency(code: code, locale: locale).precision(.fractionLength(1...3)).format(value)
        }
      #expect(format.format(value) == system)
    }
  }

  @Test("what is written is read again, rounded to the most fraction digits", arguments: locales, styles)
  func readAgain(_ id: String, _ style: DecimalFormat.Style) throws {
    let format = DecimalFormat(style, locale: Locale(identifier: id), fractionDigits: 0...7)
    for digits in Self.numbers {
      #expect(try format.parse(format.format(decimal(digits))) == decimal(digits))
    }
  }
}
