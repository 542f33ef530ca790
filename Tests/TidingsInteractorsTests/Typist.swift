import Foundation
import TidingsInteractors

/// Somebody who types into a field, as a script says, and what the field shows after each key.
///
/// A key is a character. `⌫` and `⌦` delete to either side, `«…»` is pasted at once, `←` and `→` move the caret, `⇤` and `⇥` move it to
/// the ends, `⇧` selects from where the caret is to the beginning, and `∀` all.
struct Typist<Format: TextFormat> {
  let format: Format
  var text: String
  var selection: Range<Int>
  var refusal: Refusal?

  init(_ format: Format, _ shown: String) {
    self.format = format
    let marks = shown.indices.filter { shown[$0] == "|" }.map { shown.distance(from: shown.startIndex, to: $0) }
    text = shown.filter { $0 != "|" }
    let end = text.count
    let start = marks.first ?? end
    selection = start..<(marks.count > 1 ? marks[1] - 1 : start)
  }

  /// The text with the caret in it, or both ends of what is selected; `✗` first if the last key was refused.
  var shown: String {
    var characters = Array(text).map(String.init)
    characters.insert("|", at: selection.upperBound)
    if !selection.isEmpty { characters.insert("|", at: selection.lowerBound) }
    return (refusal == nil ? "" : "✗") + characters.joined()
  }

  mutating func type(_ key: String) {
    refusal = nil
    let caret = selection
    switch key {
    case "←": selection = max(0, caret.lowerBound - 1)..<max(0, caret.lowerBound - 1)
    case "→": selection = min(text.count, caret.upperBound + 1)..<min(text.count, caret.upperBound + 1)
    case "⇤": selection = 0..<0
    case "⇥": selection = text.count..<text.count
    case "⇧": selection = 0..<caret.upperBound
    case "∀": selection = 0..<text.count
    case "⌫": replace(caret.isEmpty ? max(0, caret.lowerBound - 1)..<caret.lowerBound : caret, "")
    case "⌦":
      replace(caret.isEmpty ? caret.lowerBound..<min(text.count, caret.lowerBound + 1) : caret, "", .forward)
    default: replace(caret, key.hasPrefix("«") ? String(key.dropFirst().dropLast()) : key)
    }
  }

  mutating func replace(_ range: Range<Int>, _ replacement: String, _ direction: TextEdit.Direction = .backward) {
    do {
      let edited = try format.edit(TextEdit(replacing: range, with: replacement, direction: direction), of: text)
      text = edited.text
      selection = edited.selection
    } catch { refusal = error }
  }

  /// The keys of a script: each character one, what stands in quotes another.
  static func keys(_ script: String) -> [String] {
    var keys: [String] = []
    var pasted: String?
    for character in script {
      if pasted != nil || character == "«" {
        pasted = (pasted ?? "") + String(character)
        if character == "»", let key = pasted {
          keys.append(key)
          pasted = nil
        }
      } else {
        keys.append(String(character))
      }
    }
    return keys
  }
}
