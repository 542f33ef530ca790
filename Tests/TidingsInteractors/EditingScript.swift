import Foundation
import Testing
import TidingsInteractors

/// The text that a field shows at first, and after each key: `"| 1→1| ,→1,| ,→✗"`. A cross means that the key is rejected, and that
/// everything stays as it is.
struct EditingScript: CustomTestStringConvertible, Sendable {
  struct Step: Sendable {
    let key: String
    let shown: String
  }
  let format: DecimalFormat
  let start: String
  let steps: [Step]
  let testDescription: String

  init(_ locale: String, _ style: DecimalFormat.Style, _ sentence: String, _ script: String) {
    format = DecimalFormat(style, locale: Locale(identifier: locale))
    testDescription = "\(locale): \(sentence)"
    let words = Self.words(script)
    start = words.first ?? ""
    steps = words.dropFirst().map { word in
      let key = word.hasPrefix("«") ? word.prefix { $0 != "»" } + "»" : word.prefix(1)
      return Step(key: String(key), shown: String(word.dropFirst(key.count + 1)))
    }
  }

  init(_ locale: String, _ sentence: String, _ script: String) { self.init(locale, .number, sentence, script) }

  /// Parted by spaces, but not by those in quotes.
  private static func words(_ script: String) -> [String] {
    var isQuoted = false
    let words = script.split { character in
      if character == "«" { isQuoted = true } else if character == "»" { isQuoted = false }
      return character.isWhitespace && !isQuoted
    }
    return words.map(String.init)
  }
}
