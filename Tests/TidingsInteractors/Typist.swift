import TidingsInteractors

/// A user at a field: types keys into a text, and sees the resulting text and caret.
///
/// A key is what a person types, one character. `⌫` and `⌦` delete to the left and to the right. `‹` and `›` move the caret, `⇤`
/// and `⇥` move it to the ends. `∀` selects all, and the text in `«…»` is pasted in one step.
struct Typist<Format: TextFormat> {
  let format: Format
  var text: String
  var selection: Range<Int>
  var rejection: InputRejection?

  /// The caret is at `|`, or what is between two of them is selected.
  init(_ format: Format, _ shown: String) {
    self.format = format
    let written = Self.written(shown)
    let bars = written.indices.filter { written[$0] == "|" }.map { written.distance(from: written.startIndex, to: $0) }
    text = written.filter { $0 != "|" }
    let start = bars.first ?? text.count
    selection = start..<(bars.count > 1 ? bars[1] - 1 : start)
  }

  /// The text with the caret in it. Spaces that do not break are drawn as boxes, and invisible characters are left out.
  var shown: String {
    var characters = Array(text).map(String.init)
    characters.insert("|", at: selection.upperBound)
    if !selection.isEmpty { characters.insert("|", at: selection.lowerBound) }
    let marks: Set<Character> = ["\u{200E}", "\u{200F}", "\u{61C}"]
    return String(
      characters.joined().filter { !marks.contains($0) }.map { character -> Character in
        switch character {
        case "\u{A0}": "␣"
        case "\u{202F}": "⍽"
        default: character
        }
      })
  }

  mutating func type(_ key: String) {
    rejection = nil
    let (start, end) = (selection.lowerBound, selection.upperBound)
    switch key {
    case "‹": place(start - 1)
    case "›": place(end + 1)
    case "⇤": place(0)
    case "⇥": place(text.count)
    case "∀": selection = 0..<text.count
    case "⌫": replace(selection.isEmpty ? max(0, start - 1)..<start : selection, "")
    case "⌦": replace(selection.isEmpty ? start..<min(text.count, start + 1) : selection, "", .forward)
    default: replace(selection, key.hasPrefix("«") ? Self.written(String(key.dropFirst().dropLast())) : key)
    }
  }

  mutating func replace(_ range: Range<Int>, _ replacement: String, _ direction: TextEdit.Direction = .backward) {
    do {
      let edited = try format.edit(TextEdit(replacing: range, with: replacement, direction: direction), of: text)
      text = edited.text
      selection = edited.selection
    } catch { rejection = error }
  }

  private mutating func place(_ caret: Int) {
    let caret = min(max(0, caret), text.count)
    selection = caret..<caret
  }

  private static func written(_ shown: String) -> String {
    String(shown.map { $0 == "␣" ? "\u{A0}" : $0 == "⍽" ? "\u{202F}" : $0 })
  }
}
