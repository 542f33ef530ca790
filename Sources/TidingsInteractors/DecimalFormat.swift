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
/// **While typing** only digits, one separator and a minus in front get through. Digits may be those of the locale, of its
/// own script, ASCII or full-width; they are written as the locale writes them. A zero in front makes room for the next
/// digit; a separator alone gets a zero before it, and takes it along when it is deleted. Grouping separators come and go
/// by themselves; deleting one deletes the digit beside it, on the side that ``TextEdit/direction`` says. The caret stays
/// beside the digit where it was, and is never set into the symbol or behind it.
///
/// **Pasting** takes the one number that is in the text: `USD 1,234.50 net` gives `1,234.50`. What could mean another number,
/// as `1.5` where the dot groups thousands, or two numbers, is refused as a whole, and so is a number that does not fit.
///
/// The symbol of a currency or percent stays while typing if it is there, and need not be there. Limits hold for what is
/// typed and pasted: a larger number is still written, and read, and can be made shorter. No number passes through binary
/// floating point.
///
/// - Complexity: Making one asks the system how it writes numbers, some twenty times: make it once and keep it. All
///   else is linear in the length of the text.
public struct DecimalFormat: TextFormat, Hashable {
  /// What kind of number it is.
  public enum Style: Hashable, Sendable {
    case number
    /// With the symbol of the currency of this code, where the locale puts it.
    case currency(code: String)
    /// "12.5 %" is the value 0.125.
    case percent
  }

  /// What a text without a number is read as.
  public var emptyValue: Decimal
  let editor: NumberEditor
  let style: Style

  /// Reads off the system how numbers are written.
  ///
  /// - Parameters:
  ///   - locale: Read once: a format does not follow the person's settings.
  ///   - maximumIntegerDigits: How many digits can be typed before the separator.
  ///   - fractionDigits: How many digits are written behind the separator at least and at most, and can be typed at most.
  ///     Unless given 1 to 3, of percentages 0 to 2, of a currency as many as it has.
  ///   - allowsNegative: Whether a minus can be typed.
  ///   - grouping: Whether thousands, or what the locale groups, are grouped.
  ///   - emptyValue: What an empty text is read as. With ``TextFormat/optional`` it is `nil`.
  public init(
    _ style: Style = .number, locale: Locale = .current, maximumIntegerDigits: Int = 8,
    fractionDigits: ClosedRange<Int>? = nil, allowsNegative: Bool = true, grouping: Bool = true, emptyValue: Decimal = 0
  ) {
    let fractionDigits = fractionDigits ?? style.fractionDigits(locale)
    precondition(maximumIntegerDigits > 0, "DecimalFormat: at least one digit can be typed before the separator")
    precondition(fractionDigits.lowerBound >= 0, "DecimalFormat: the number of fraction digits is not negative")
    precondition(
      maximumIntegerDigits + fractionDigits.upperBound <= 38,
      "DecimalFormat: a Decimal holds 38 digits, before and behind")
    var rules = NumberRules()
    rules.integerDigits = maximumIntegerDigits
    rules.fractionDigits = fractionDigits
    rules.allowsNegative = allowsNegative
    rules.isGrouped = grouping
    editor = NumberEditor(symbols: NumberSymbols(locale: locale) { style.write($0, locale) }, rules: rules)
    self.style = style
    self.emptyValue = emptyValue
  }

  public func edit(_ edit: TextEdit, of text: String) throws(Refusal) -> EditedText {
    try editor.edit(edit, of: text)
  }

  /// The number, with or without symbol and grouping.
  ///
  /// - Throws: ``Refusal``: a sign alone is incomplete; so many digits that some would be lost are too many.
  public func parse(_ text: String) throws(Refusal) -> Decimal {
    let number = try editor.reader.number(text)
    if number.isEmpty { return emptyValue }
    let rules = editor.rules
    guard number.normalised.fraction.count <= rules.fractionDigits.upperBound else { throw rules.tooManyFractionDigits }
    guard let value = number.shifted(by: -style.places).decimal else {
      throw Refusal(.tooLarge, "“\(text)” has more digits than can be held.")
    }
    return value
  }

  /// The number in full, rounded to the most fraction digits, a half to the even digit. Of what is no number: nothing.
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
  /// A plain number. See ``DecimalFormat``.
  public static func decimal(
    locale: Locale = .current, maximumIntegerDigits: Int = 8, fractionDigits: ClosedRange<Int> = 1...3,
    allowsNegative: Bool = true
  ) -> Self {
    DecimalFormat(
      locale: locale, maximumIntegerDigits: maximumIntegerDigits, fractionDigits: fractionDigits,
      allowsNegative: allowsNegative)
  }

  /// An amount of money. See ``DecimalFormat``.
  public static func currency(
    _ code: String, locale: Locale = .current, maximumIntegerDigits: Int = 8, allowsNegative: Bool = true
  ) -> Self {
    DecimalFormat(
      .currency(code: code), locale: locale, maximumIntegerDigits: maximumIntegerDigits, allowsNegative: allowsNegative)
  }

  /// A percentage: "12.5 %" is the value 0.125. See ``DecimalFormat``.
  public static func percent(
    locale: Locale = .current, maximumIntegerDigits: Int = 8, fractionDigits: ClosedRange<Int> = 0...2,
    allowsNegative: Bool = true
  ) -> Self {
    DecimalFormat(
      .percent, locale: locale, maximumIntegerDigits: maximumIntegerDigits, fractionDigits: fractionDigits,
      allowsNegative: allowsNegative)
  }
}
