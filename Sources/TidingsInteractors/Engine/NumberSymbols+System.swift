import Foundation

extension NumberSymbols {
  /// Reads the symbols from numbers that the system writes, which say more, and more truly, than its lists of symbols do.
  ///
  /// - Parameter write: A number with exactly one fraction digit, in the style and the locale.
  init(locale: Locale, write: (Decimal) -> String) {
    let plain = Decimal.FormatStyle(locale: locale).precision(.fractionLength(1))
    readDigits(of: locale)
    bare = affixes(plain.format(1), negative: plain.format(-1))
    full = affixes(write(1), negative: write(-1))
    let parts = parts(write(Self.sample))
    separator = parts.last?.mark ?? "."
    if let mark = parts.first?.mark, parts.count > 1, mark != separator {
      let sizes = parts.map(\.digits)
      let first = sizes[sizes.count - 1]
      grouping = Grouping(
        mark: mark, first: first, others: sizes.count > 2 ? sizes[sizes.count - 2] : first,
        least: least(above: first) { self.parts(write($0)).count > 1 })
    }
    symbols = cores(of: full)
    if let own = locale.currency {
      let format = Decimal.FormatStyle.Currency(code: own.identifier, locale: locale)
      currencies = cores(of: affixes(format.format(1), negative: ""))
    }
  }

  static func isCurrencyCode(_ word: String) -> Bool {
    word.allSatisfy { $0.isASCII && $0.isUppercase } && Locale.Currency(word).isISOCurrency
  }

  private func cores(of affixes: Affixes) -> [[Character]] {
    [core(of: affixes.prefix), core(of: affixes.suffix)].filter { !$0.isEmpty }
  }

  /// Twelve digits show how three groups are made: 123.456.789.012,5 or 1,23,45,67,89,012.5.
  private static let sample = Decimal(123_456_789_012) + Decimal(5) / 10

  private mutating func readDigits(of locale: Locale) {
    var native = Locale.Components(locale: locale)
    native.numberingSystem = Locale.NumberingSystem("native")
    let written = Self.digits(of: locale)
    digits = written ?? digits
    let everywhere = ["0123456789", "０１２３４５６７８９"].map { Array($0.unicodeScalars) }
    for digits in everywhere + [Self.digits(of: Locale(components: native)), written].compactMap(\.self) {
      for (value, digit) in digits.enumerated() { values[digit] = UInt8(value) }
    }
  }

  private static func digits(of locale: Locale) -> [Unicode.Scalar]? {
    let written = Array(Decimal.FormatStyle(locale: locale).grouping(.never).format(1_234_567_890).unicodeScalars)
    return written.count == 10 ? [written[9]] + written[..<9] : nil
  }

  private func affixes(_ positive: String, negative: String) -> Affixes {
    let positive = around(positive)
    let negative = around(negative)
    return Affixes(
      prefix: positive.before, suffix: positive.after, negativePrefix: negative.before, negativeSuffix: negative.after
    )
  }

  /// Returns an affix without the spaces, marks and signs at its ends.
  private func core(of affix: String) -> [Character] {
    // A dot belongs to the symbol also where it groups digits, as in Denmark.
    let isCore = { (character: Character) in
      !character.isWhitespace && [.other, .currency, .separator, .grouping].contains(role(of: character))
    }
    let characters = Array(affix)
    guard let first = characters.firstIndex(where: isCore), let last = characters.lastIndex(where: isCore) else {
      return []
    }
    return Array(characters[first...last])
  }

  private func around(_ number: String) -> (before: String, after: String) {
    let scalars = number.unicodeScalars
    guard let first = scalars.firstIndex(where: { values[$0] != nil }),
      let last = scalars.lastIndex(where: { values[$0] != nil })
    else { return ("", "") }
    return (String(scalars[..<first]), String(scalars[scalars.index(after: last)...]))
  }

  /// The marks between the digits, each with the number of integer digits before it; the last is the separator.
  private func parts(_ number: String) -> [(digits: Int, mark: Unicode.Scalar)] {
    let around = around(number)
    var parts: [(digits: Int, mark: Unicode.Scalar)] = []
    var count = 0
    let before = around.before.unicodeScalars.count
    for scalar in number.unicodeScalars.dropFirst(before).dropLast(around.after.unicodeScalars.count) {
      if values[scalar] != nil {
        count += 1
      } else {
        parts.append((count, scalar))
        count = 0
      }
    }
    return parts
  }

  private func least(above digits: Int, isGrouped: (Decimal) -> Bool) -> Int {
    var number = Decimal(1)
    for _ in 0..<digits { number *= 10 }
    for least in digits + 1...digits + 4 {
      if isGrouped(number) { return least }
      number *= 10
    }
    return digits + 1
  }
}
