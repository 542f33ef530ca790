/// As much of the CSV format as a list of prices needs.
///
/// A field in quotes may hold commas and doubled quotes, but no line break: no symbol, date or price has one, and so an
/// unclosed quote spoils its own row only.
enum CSV {
  struct Fault: Error, Equatable {
    let reason: String
  }

  /// The lines of `text`, without the byte order mark some programs put in front, however they end.
  static func lines(of text: String) -> [Substring] {
    let body = text.unicodeScalars.first == "\u{FEFF}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    // "\r\n" is one character.
    return body.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  /// The fields of one line, without the blanks around them.
  static func fields(of line: Substring) throws(Fault) -> [String] {
    var fields: [String] = []
    var rest = line
    repeat {
      fields.append(try field(from: &rest))
      // A field ends at a comma or at the end of the line.
    } while rest.popFirst() != nil
    return fields
  }

  private static func field(from rest: inout Substring) throws(Fault) -> String {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.first == "\"" else {
      let text = rest.prefix { $0 != "," }
      rest = rest[text.endIndex...]
      guard !text.contains("\"") else { throw Fault(reason: "a quote in the middle of a field") }
      return trimmed(text)
    }
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character != "\"" {
        text.append(character)
      } else if rest.first == "\"" {
        text.append(rest.removeFirst())
      } else {
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == nil || rest.first == "," else { throw Fault(reason: "text after a closing quote") }
        return trimmed(text[...])
      }
    }
    throw Fault(reason: "a quote that is never closed")
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
