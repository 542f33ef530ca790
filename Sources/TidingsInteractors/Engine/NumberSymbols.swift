/// How a locale writes numbers: its digits and signs, how it groups, what is before and after the digits.
struct NumberSymbols: Hashable, Sendable {
  /// The text before and after the digits, including marks of writing direction.
  struct Affixes: Hashable, Sendable {
    var prefix = ""
    var suffix = ""
    var negativePrefix = "-"
    var negativeSuffix = ""
  }

  /// How the integer digits are grouped, counted from the separator.
  struct Grouping: Hashable, Sendable {
    var mark: Unicode.Scalar
    var first: Int
    var others: Int
    /// Below this many digits nothing is grouped, as in Spain.
    var least: Int
  }

  /// From zero to nine, as they are written.
  var digits: [Unicode.Scalar] = Array("0123456789".unicodeScalars)
  /// All digits that are read.
  var values: [Unicode.Scalar: UInt8] = [:]
  var separator: Unicode.Scalar = "."
  var grouping: Grouping?
  /// The affixes of a number alone.
  var bare = Affixes()
  /// With the symbol of the currency or the percent sign. The same as ``bare`` where there is none.
  var full = Affixes()
  /// The parts of `full` that are neither space, nor mark of direction, nor sign: "€", "%". If the symbol "kr." were not known,
  /// its dot would be read as a separator.
  var symbols: [[Character]] = []
  /// How the locale writes its own currency, which people paste with a number of any style.
  var currencies: [[Character]] = []

  /// The role of a character in a number.
  enum Role: Hashable, Sendable {
    case digit(UInt8)
    case separator
    case grouping
    case sign
    /// It is invisible.
    case mark
    /// It belongs to the symbol of the currency, or of percent.
    case symbol
    /// It belongs to the name of a currency that the format does not write.
    case currency
    case other
  }

  func role(of character: Character) -> Role {
    // One scalar is quicker to compare than a character, and nothing in a number has more.
    let scalars = character.unicodeScalars
    guard let scalar = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
      return .other
    }
    if let value = values[scalar] { return .digit(value) }
    if scalar == separator { return .separator }
    if scalar == grouping?.mark { return .grouping }
    switch scalar {
    // People type the dot of a numeric keypad where the locale's own separator is on no key, and full-width signs.
    case "." where separator == "\u{66B}": return .separator
    case "," where separator == "\u{66B}": return .grouping
    case "\u{FF0E}" where separator == ".", "\u{FF0C}" where separator == ",": return .separator
    case "\u{FF0C}" where grouping?.mark == ",", "\u{FF0E}" where grouping?.mark == ".": return .grouping
    // A space and an apostrophe are never anything else in a number, in any country.
    case " ", "\u{A0}", "\u{202F}", "\u{2000}"..."\u{200A}", "'", "\u{2019}": return .grouping
    // The minus, its forms, and the hyphens and dashes that are as long.
    case "-", "\u{2212}", "\u{FF0D}", "\u{FE63}", "\u{2010}"..."\u{2013}": return .sign
    // Marks of writing direction, and spaces without width.
    case "\u{200E}", "\u{200F}", "\u{61C}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200B}", "\u{FEFF}":
      return .mark
    default: return character.isCurrencySymbol ? .currency : .other
    }
  }

  /// Whether a character separates decimals in any country.
  func isDecimal(_ character: Character) -> Bool {
    role(of: character) == .separator || [".", ",", "\u{66B}", "\u{FF0E}", "\u{FF0C}"].contains(character)
  }

  /// Each character and what it is; the names of currencies are found as a whole.
  func read(_ text: String) -> [(character: Character, role: Role)] {
    let characters = Array(text)
    var tokens = characters.map { (character: $0, role: role(of: $0)) }
    for word in words(of: tokens) where isCurrency(tokens[word]) {
      for index in word { tokens[index].role = .currency }
    }
    for (role, names) in [(Role.currency, currencies), (.symbol, symbols)] {
      for name in names {
        for start in characters.indices where characters[start...].starts(with: name) {
          for index in start..<start + name.count { tokens[index].role = role }
        }
      }
    }
    return tokens
  }

  /// The stretches of letters and signs of currencies, as in “US$”.
  private func words(of tokens: [(character: Character, role: Role)]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    for end in 0...tokens.count {
      if end < tokens.count, tokens[end].character.isLetter || tokens[end].character.isCurrencySymbol { continue }
      if start < end { words.append(start..<end) }
      start = end + 1
    }
    return words
  }

  /// A sign of a currency alone may also be the separator, as in Cape Verde.
  private func isCurrency(_ word: ArraySlice<(character: Character, role: Role)>) -> Bool {
    if word.contains(where: { $0.role == .currency }) { return true }
    if word.contains(where: \.character.isCurrencySymbol) { return word.count > 1 }
    return word.count == 3 && Self.isCurrencyCode(String(word.map(\.character)))
  }
}
