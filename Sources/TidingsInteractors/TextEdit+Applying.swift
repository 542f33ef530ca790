extension EditedText {
  /// What becomes of a text when nobody minds: the replacement stands there, the caret behind it.
  public static func applying(_ edit: TextEdit, to text: String) -> EditedText {
    let result = edit.applied(to: text)
    let behind = text.count - edit.range.clamped(to: 0..<text.count).upperBound
    // Counted from the end: at a seam characters may have become one.
    return EditedText(result, caret: max(0, result.count - behind))
  }

  /// A text with a selection that a text system tells in UTF-16 units.
  public init(_ text: String, utf16Selection selection: Range<Int>) {
    self.init(text, selection: TextEdit(replacingUTF16: selection, with: "", in: text).range)
  }

  /// The selection in UTF-16 units, as text systems count.
  public var utf16Selection: Range<Int> {
    text.utf16Offset(ofCharacter: selection.lowerBound)..<text.utf16Offset(ofCharacter: selection.upperBound)
  }
}

extension TextEdit {
  /// An edit that a text system tells in UTF-16 units of `text`. Half a character counts as the whole one.
  public init(
    replacingUTF16 range: Range<Int>, with replacement: String, in text: String, direction: Direction = .backward
  ) {
    let start = text.characterOffset(ofUTF16: range.lowerBound)
    let end = range.isEmpty ? start : text.characterOffset(ofUTF16: range.upperBound, roundingUp: true)
    self.init(replacing: start..<max(start, end), with: replacement, direction: direction)
  }

  /// The shortest edit that makes `new` of `old`: for controls that tell only what they hold afterwards.
  ///
  /// Where several are as short (an "a" typed among others), it is the one whose replacement ends at `caret`, if that is
  /// known.
  public init(from old: String, to new: String, caret: Int? = nil) {
    let (old, new) = (Array(old), Array(new))
    let shared = min(old.count, new.count)
    // What stands behind the caret was there before; only the rest of it can be equal by chance.
    let mostBehind = caret.map { min(shared, max(0, new.count - $0)) } ?? shared
    var behind = 0
    while behind < mostBehind, old[old.count - 1 - behind] == new[new.count - 1 - behind] { behind += 1 }
    var before = 0
    while before < shared - behind, old[before] == new[before] { before += 1 }
    while before + behind < shared, old[old.count - 1 - behind] == new[new.count - 1 - behind] { behind += 1 }
    self.init(replacing: before..<old.count - behind, with: String(new[before..<new.count - behind]))
  }
}

extension String {
  /// The character in which a UTF-16 offset lies, or the first behind it.
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

  /// Where a character begins, in UTF-16 units.
  func utf16Offset(ofCharacter offset: Int) -> Int { prefix(max(0, offset)).utf16.count }
}
