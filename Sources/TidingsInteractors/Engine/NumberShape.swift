/// The shape of the text around a number, with a letter for each thing, and the sign that the number has in it.
///
/// Everything beside the number is accounted for: a mark or a sign that touches it in any other way than these may belong to it.
struct NumberShape {
  enum Sign { case plus, minus }

  /// `N` is the number, `C` a currency or the symbol of the format, `S` a minus, `w` one letter, `W` a word, `U` letters
  /// without case (as people write them without spaces), `.` the end of a phrase, `:` what may touch a number, `x` the rest.
  private let text: String

  init(_ tokens: [NumberReader.Token], _ run: Range<Int>) {
    var text = Self.text(of: tokens[..<run.lowerBound])
    text.append("N")
    text += Self.text(of: tokens[run.upperBound...])
    self.text = text
  }

  /// Nil if it is not certain.
  var sign: Sign? {
    if text.wholeMatch(of: Self.negative) != nil || text.wholeMatch(of: Self.negativeInText) != nil { return .minus }
    return text.wholeMatch(of: Self.positive) == nil ? nil : .plus
  }

  private static func text(of tokens: ArraySlice<NumberReader.Token>) -> String {
    var text = ""
    for token in tokens {
      let letter = letter(for: token)
      switch (text.last, letter) {
      case ("w", "w"), ("W", "w"): text.replaceSubrange(text.index(before: text.endIndex)..., with: "W")
      case ("C", "C"), ("U", "U"), (" ", " "): break
      default: text.append(letter)
      }
    }
    return text
  }

  private static func letter(for token: NumberReader.Token) -> Character {
    switch token.role {
    case .symbol, .currency: return "C"
    case .sign: return "S"
    default: break
    }
    let character = token.character
    if character.isWhitespace { return " " }
    // An input method makes this letter of the key of a minus.
    if character == "ー" || character == "ｰ" { return "x" }
    if character.isLetter { return character.isCased ? "w" : "U" }
    switch character {
    case "(", "（": return "("
    case ")", "）": return ")"
    case "+", "＋": return "+"
    case ".", ",", ";", "!", "?", "。", "、", "，": return "."
    case ":", "=", "#", "\"", "“", "”", "„", "«", "»", "：": return ":"
    default: return "x"
    }
  }

  // These are never changed, and a regular expression of the standard library compiles itself once, by an atomic exchange. It is
  // only not `Sendable` since it may have closures.

  // The whole text is an amount: with a minus before or after it or its currency, or in the brackets of a spreadsheet.
  nonisolated(unsafe) private static let negative =
    #/
      (?: S\ ?(?:C\ ?)?N(?:\ ?C)? | C\ ?S\ ?N | SW\ ?N | (?:C\ ?)?N(?:\ ?C)?S | (?:C\ ?)?NS\ ?C
      | (?:C\ ?)?\(\ ?(?: S?(?:C\ ?)?N | C\ ?SN )(?:\ ?C)?\ ?\)(?:\ ?C)? ) \.?
    /#
  // A minus that touches the number, or the currency in front of it.
  nonisolated(unsafe) private static let negativeInText =
    #/
      (?: .*[WwU:]\.?\  | .*: )? (?: S(?:C\ ?)?N(?:\ ?C)? | C\ ?SN )
      (?: :?\.? | :?\.?\ (?: [WwU:C].* | \([WwU\ ]+\).* | S\ W.* ) | U.* )
    /#
  // No sign, but perhaps a hyphen after a letter, a dash after a word, or the brackets of a sentence. A word with a minus on its
  // other side may be a currency.
  nonisolated(unsafe) private static let positive =
    #/
      (?! (?:.*[^WwU])?S\ ?[Ww]\ ?N ) (?! .*N\ ?[Ww]\ ?S(?:[^WwU].*)?$ )
      (?: (?: .*[WwU:C]\.?\  | .*[WwU:] | .*W\ S\  )? (?: \+?(?:C\ ?)?N(?:\ ?C)? | C\ ?\+N )
      | (?: .*\ )? wSN | .*W\ \((?:C\ ?)?N(?:\ ?C)?\) )
      (?: :?\.? | :?\.?\ (?: [WwU:C].* | \([WwU\ ]+\).* | S\ W.* ) | U.* )
    /#
}
