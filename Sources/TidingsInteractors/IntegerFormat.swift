public import Foundation

/// Whole numbers as a locale writes them.
///
/// ```swift
/// let count = IntegerFormat(locale: Locale(identifier: "de_DE"))
/// let shown = count.format(-1_234_567)                // "-1.234.567"
/// let value = try count.parse("1.234")                // 1234
/// ```
///
/// Typing, deleting and pasting work as in ``DecimalFormat``, without a separator. A number that does not fit into an `Int`
/// cannot be typed.
///
/// - Complexity: `init` queries the number style of the system: make a format once and keep it. Everything else is linear in
///   the length of the text.
public struct IntegerFormat: TextFormat, Hashable {
  /// The value of a text without a number.
  public var emptyValue: Int
  let editor: NumberEditor

  /// Makes a format from the number style of the system.
  ///
  /// - Parameters:
  ///   - locale: Read once: a format does not follow later changes of the person's settings.
  ///   - maximumDigits: How many digits can be typed. Unless given, as many as fit into an `Int`.
  ///   - allowsNegative: Whether a minus can be typed.
  ///   - grouping: Whether digits are grouped as the locale groups them.
  ///   - emptyValue: The value of an empty text. With ``TextFormat/optional`` it is `nil`.
  public init(
    locale: Locale = .current, maximumDigits: Int? = nil, allowsNegative: Bool = true, grouping: Bool = true,
    emptyValue: Int = 0
  ) {
    let largest = NumberText(Int.max)
    let maximumDigits = maximumDigits ?? largest.integer.count
    precondition(maximumDigits > 0, "IntegerFormat: at least one digit can be typed")
    var rules = NumberRules()
    rules.integerDigits = maximumDigits
    rules.fractionDigits = 0...0
    rules.allowsNegative = allowsNegative
    rules.isGrouped = grouping
    rules.largest = largest.integer
    rules.smallest = NumberText(Int.min).integer
    rules.name = "a whole number"
    let plain = Decimal.FormatStyle(locale: locale).precision(.fractionLength(1))
    editor = NumberEditor(symbols: NumberSymbols(locale: locale, write: plain.format), rules: rules)
    self.emptyValue = emptyValue
  }

  public func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    try editor.edit(edit, of: text)
  }

  public func isAmbiguous(_ text: String, after rejected: [RejectedEdit]) -> Bool {
    editor.isAmbiguous(text, after: rejected)
  }

  public func parse(_ text: String) throws(InputRejection) -> Int {
    let number = try editor.reader.number(text)
    if number.isEmpty { return emptyValue }
    guard let value = number.int else {
      throw InputRejection(.tooLarge, "“\(text)” is beyond the largest whole number.")
    }
    return value
  }

  public func format(_ value: Int) -> String {
    editor.writer.text(NumberText(value), isFull: true).text
  }
}

extension NumberText {
  init(_ value: Int) {
    self.init(isNegative: value < 0, integer: String(value.magnitude).utf8.map { $0 - UInt8(ascii: "0") })
  }

  /// The whole number; nil if it is too large, or not whole.
  var int: Int? {
    guard normalised.fraction.isEmpty else { return nil }
    var value = 0
    for digit in integer {
      let tenfold = value.multipliedReportingOverflow(by: 10)
      let digit = isNegative ? -Int(digit) : Int(digit)
      let sum = tenfold.partialValue.addingReportingOverflow(digit)
      if tenfold.overflow || sum.overflow { return nil }
      value = sum.partialValue
    }
    return value
  }
}

extension TextFormat where Self == IntegerFormat {
  /// A format of whole numbers. See ``IntegerFormat``.
  ///
  /// - Parameters:
  ///   - locale: Read once.
  ///   - maximumDigits: How many digits can be typed. Unless given, as many as fit into an `Int`.
  ///   - allowsNegative: Whether a minus can be typed.
  /// - Returns: The format.
  public static func integer(locale: Locale = .current, maximumDigits: Int? = nil, allowsNegative: Bool = true) -> Self
  {
    IntegerFormat(locale: locale, maximumDigits: maximumDigits, allowsNegative: allowsNegative)
  }
}
