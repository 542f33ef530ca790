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
    case " ", "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}", "'", "\u{2019}": return .grouping
    case "-", "\u{2212}", "\u{FF0D}", "\u{FE63}": return .sign
    // Marks of writing direction, and spaces without width.
    case "\u{200E}", "\u{200F}", "\u{61C}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200B}", "\u{FEFF}":
      return .mark
    default: return .other
    }
  }

  /// Each character and what it is; the symbol of the currency is found as a whole.
  func read(_ text: String) -> [(character: Character, role: Role)] {
    let characters = Array(text)
    var tokens = characters.map { (character: $0, role: role(of: $0)) }
    for symbol in symbols {
      for start in characters.indices where characters[start...].starts(with: symbol) {
        for index in start..<start + symbol.count { tokens[index].role = .symbol }
      }
    }
    return tokens
  }
}
