public import Foundation

/// Decimal numbers, amounts of money and percentages, exact to the last digit, as a locale writes them.
///
/// ```swift
/// let price = DecimalFormat(locale: Locale(identifier: "de_DE"))
/// let shown = price.format(1234)                                             // "1.234,0"
/// let value = try price.parse("1.234,5")                                     // 1234.5
/// let typed = try price.edit(TextEdit(replacing: 0..<0, with: ","), of: "")  // "0,", the caret at its end
/// ```
///
/// **While typing** only digits, one separator and a leading minus are accepted. Digits may be those of the locale, of its
/// own script, ASCII or full-width; they are written as the locale writes them. A dot or a comma that means nothing else in the
/// locale is the separator too, as on a numeric keypad. Where it groups digits it is rejected, and the text that is typed on is
/// ambiguous until the digits are a grouping: `12.50` in Germany is no 1,250, and `1.234` is 1234. A leading zero is replaced by the next
/// digit. A separator alone gets a zero before it, which is deleted with it. Grouping separators are inserted and removed
/// automatically; deleting one deletes the digit beside it, on the side that ``TextEdit/direction`` gives. The caret stays
/// beside the same digit, and is never placed inside or after the symbol.
///
/// **Pasting** takes the one number that is in the text: `USD 1,234.50 net` gives `1,234.50`. A minus may be before the number or
/// its currency, or after it, and `(1,234.50)` is negative as well. Every mark that touches the number is accounted for: a text
/// that could mean another number, such as `1.5` or `.5` where the dot groups thousands, or `-(5)`, is rejected as a whole. So is
/// a text that contains two numbers, and a number that exceeds the limits. `1.234` is what the locale reads in it.
///
/// The symbol of a currency or percentage stays while typing if it is present, and is not required. The limits apply to what
/// is typed and pasted: a larger value is still written and parsed, and can be made shorter. No number passes through binary
/// floating point.
///
/// - Complexity: `init` queries the number style of the system some twenty times: make a format once and keep it. Everything
///   else is linear in the length of the text.
public struct DecimalFormat: TextFormat, Hashable {
  /// The kind of number.
  public enum Style: Hashable, Sendable {
    /// A plain number, without a symbol.
    case number
    /// With the symbol of the currency with this code, where the locale puts it. A code that contains anything but ASCII letters
    /// is taken for `XXX`, that of no currency.
    case currency(code: String)
    /// "12.5 %" is the value 0.125.
    case percent
  }

  /// The value of a text without a number.
  public var emptyValue: Decimal
  let editor: NumberEditor
  let style: Style

  /// Makes a format from the number style of the system.
  ///
  /// - Parameters:
  ///   - style: The kind of number.
  ///   - locale: Read once: a format does not follow later changes of the person's settings.
  ///   - maximumIntegerDigits: How many digits can be typed before the separator.
  ///   - fractionDigits: The least and greatest number of digits that are written after the separator; the greatest can be
  ///     typed. Unless given 1 to 3, for percentages 0 to 2, for a currency its own number.
  ///   - allowsNegative: Whether a minus can be typed.
  ///   - grouping: Whether digits are grouped as the locale groups them.
  ///   - emptyValue: The value of an empty text. With ``TextFormat/optional`` it is `nil`.
  public init(
    _ style: Style = .number, locale: Locale = .current, maximumIntegerDigits: Int = 8,
    fractionDigits: ClosedRange<Int>? = nil, allowsNegative: Bool = true, grouping: Bool = true, emptyValue: Decimal = 0
  ) {
    let fractionDigits = fractionDigits ?? style.fractionDigits(locale)
    precondition(maximumIntegerDigits > 0, "DecimalFormat: at least one digit can be typed before the separator")
    precondition(fractionDigits.lowerBound >= 0, "DecimalFormat: the number of fraction digits is not negative")
    precondition(
      maximumIntegerDigits + fractionDigits.upperBound <= 38,
      "DecimalFormat: a Decimal holds 38 digits, before and after the separator")
    var rules = NumberRules()
    rules.integerDigits = maximumIntegerDigits
    rules.fractionDigits = fractionDigits
    rules.allowsNegative = allowsNegative
    rules.isGrouped = grouping
    editor = NumberEditor(symbols: NumberSymbols(locale: locale) { style.write($0, locale) }, rules: rules)
    self.style = style
    self.emptyValue = emptyValue
  }

  public func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    try editor.edit(edit, of: text)
  }

  public func isAmbiguous(_ text: String, after rejected: [RejectedEdit]) -> Bool {
    editor.isAmbiguous(text, after: rejected)
  }

  /// Parses a number, with or without symbol and grouping.
  ///
  /// - Parameter text: The text of the number.
  /// - Returns: The number; ``emptyValue`` for a text without one.
  /// - Throws: ``InputRejection``: a sign alone is incomplete; more digits than can be held are too many.
  public func parse(_ text: String) throws(InputRejection) -> Decimal {
    let number = try editor.reader.number(text)
    if number.isEmpty { return emptyValue }
    let rules = editor.rules
    guard number.normalised.fraction.count <= rules.fractionDigits.upperBound else { throw rules.tooManyFractionDigits }
    guard let value = number.shifted(by: -style.places).decimal else {
      throw InputRejection(.tooLarge, "“\(text)” has more digits than can be held.")
    }
    return value
  }

  /// The number in full, rounded to the greatest number of fraction digits, a half to the even digit. For a value that is
  /// not a number: an empty text.
  ///
  /// - Parameter value: The number.
  /// - Returns: The text.
  public func format(_ value: Decimal) -> String {
    guard value.isFinite else { return "" }
    let digits = editor.rules.fractionDigits
    var number = NumberText(value).shifted(by: style.places).rounded(to: digits.upperBound).normalised
    while number.fraction.count < digits.lowerBound { number.fraction.append(0) }
    if number.integer.isEmpty { number.integer = [0] }
    number.hasSeparator = !number.fraction.isEmpty
    return editor.writer.text(number, isFull: true).text
  }
}

extension TextFormat where Self == DecimalFormat {
  /// A format of plain numbers. See ``DecimalFormat``.
  ///
  /// - Parameters:
  ///   - locale: Read once.
  ///   - maximumIntegerDigits: How many digits can be typed before the separator.
  ///   - fractionDigits: The least and greatest number of digits after the separator.
  ///   - allowsNegative: Whether a minus can be typed.
  /// - Returns: The format.
  public static func decimal(
    locale: Locale = .current, maximumIntegerDigits: Int = 8, fractionDigits: ClosedRange<Int> = 1...3,
    allowsNegative: Bool = true
  ) -> Self {
    DecimalFormat(
      locale: locale, maximumIntegerDigits: maximumIntegerDigits, fractionDigits: fractionDigits,
      allowsNegative: allowsNegative)
  }

  /// A format of amounts of money. See ``DecimalFormat``.
  ///
  /// - Parameters:
  ///   - code: The currency.
  ///   - locale: Read once.
  ///   - maximumIntegerDigits: How many digits can be typed before the separator.
  ///   - allowsNegative: Whether a minus can be typed.
  /// - Returns: The format.
  public static func currency(
    _ code: String, locale: Locale = .current, maximumIntegerDigits: Int = 8, allowsNegative: Bool = true
  ) -> Self {
    DecimalFormat(
      .currency(code: code), locale: locale, maximumIntegerDigits: maximumIntegerDigits, allowsNegative: allowsNegative)
  }

  /// A format of percentages: "12.5 %" is the value 0.125. See ``DecimalFormat``.
  ///
  /// - Parameters:
  ///   - locale: Read once.
  ///   - maximumIntegerDigits: How many digits can be typed before the separator.
  ///   - fractionDigits: The least and greatest number of digits after the separator.
  ///   - allowsNegative: Whether a minus can be typed.
  /// - Returns: The format.
  public static func percent(
    locale: Locale = .current, maximumIntegerDigits: Int = 8, fractionDigits: ClosedRange<Int> = 0...2,
    allowsNegative: Bool = true
  ) -> Self {
    DecimalFormat(
      .percent, locale: locale, maximumIntegerDigits: maximumIntegerDigits, fractionDigits: fractionDigits,
      allowsNegative: allowsNegative)
  }
}
