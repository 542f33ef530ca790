extension EditedText {
  /// The text after an edit that no handler changes, with the caret after the replacement.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - text: The text before it.
  /// - Returns: The text and the caret after it.
  public static func applying(_ edit: TextEdit, to text: String) -> EditedText {
    let result = edit.applied(to: text)
    let after = text.count - edit.range.clamped(to: 0..<text.count).upperBound
    // Counted from the end: characters may have been combined at the boundary of the replacement.
    return EditedText(result, caret: max(0, result.count - after))
  }

  /// A text with a selection in UTF-16 units, as text systems report it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - selection: The selection in UTF-16 units.
  public init(_ text: String, utf16Selection selection: Range<Int>) {
    self.init(text, selection: TextEdit(replacingUTF16: selection, with: "", in: text).range)
  }

  /// The selection in UTF-16 units, as text systems count.
  public var utf16Selection: Range<Int> {
    text.utf16Offset(ofCharacter: selection.lowerBound)..<text.utf16Offset(ofCharacter: selection.upperBound)
  }
}

extension TextEdit {
  /// An edit in UTF-16 units of `text`, as text systems report it. A part of a character counts as the whole character.
  ///
  /// - Parameters:
  ///   - range: The range that is replaced, in UTF-16 units.
  ///   - replacement: The text that replaces it.
  ///   - text: The text before the edit.
  ///   - direction: Which character the key deletes.
  public init(
    replacingUTF16 range: Range<Int>, with replacement: String, in text: String, direction: Direction = .backward
  ) {
    let start = text.characterOffset(ofUTF16: range.lowerBound)
    let end = range.isEmpty ? start : text.characterOffset(ofUTF16: range.upperBound, roundingUp: true)
    self.init(replacing: start..<max(start, end), with: replacement, direction: direction)
  }

  /// The shortest edit that changes `old` to `new`: for controls that only report their text afterwards.
  ///
  /// If several are equally short (an "a" typed among others), it is the one whose replacement ends at `caret`.
  ///
  /// - Parameters:
  ///   - old: The text before.
  ///   - new: The text after.
  ///   - caret: The offset of the caret in `new`, if it is known.
  public init(from old: String, to new: String, caret: Int? = nil) {
    let (old, new) = (Array(old), Array(new))
    let shared = min(old.count, new.count)
    // The text after the caret is old; only that part can be equal other than by chance.
    let mostAfter = caret.map { min(shared, max(0, new.count - $0)) } ?? shared
    var after = 0
    while after < mostAfter, old[old.count - 1 - after] == new[new.count - 1 - after] { after += 1 }
    var before = 0
    while before < shared - after, old[before] == new[before] { before += 1 }
    while before + after < shared, old[old.count - 1 - after] == new[new.count - 1 - after] { after += 1 }
    self.init(replacing: before..<old.count - after, with: String(new[before..<new.count - after]))
  }
}

extension TextEdit {
  /// The edit that replaces the selection of `old`, if one such edit changes it to `new`. Otherwise the shortest.
  ///
  /// The shortest is a part of what was pasted over a selection, which may be read as another number.
  init(from old: EditedText, to new: EditedText) {
    let (characters, result) = (Array(old.text), Array(new.text))
    let range = old.selection.clamped(to: 0..<characters.count)
    let (before, after) = (characters[..<range.lowerBound], characters[range.upperBound...])
    if result.count >= before.count + after.count, result.starts(with: before), result.suffix(after.count) == after {
      self.init(replacing: range, with: String(result[before.count..<result.count - after.count]))
    } else {
      self.init(from: old.text, to: new.text, caret: new.selection.lowerBound)
    }
  }
}

extension String {
  /// The character that contains a UTF-16 offset, or the first after it.
  func characterOffset(ofUTF16 offset: Int, roundingUp: Bool = false) -> Int {
    let offset = min(max(0, offset), utf16.count)
    var (characters, units) = (0, 0)
    for character in self {
      let length = character.utf16.count
      if units + length > offset { return roundingUp && units < offset ? characters + 1 : characters }
      units += length
      characters += 1
    }
    return characters
  }

  /// The offset of a character in UTF-16 units.
  func utf16Offset(ofCharacter offset: Int) -> Int { prefix(max(0, offset)).utf16.count }
}
