/// A piece of text that is to stand in place of another.
///
/// Typing replaces the selection, deleting replaces a range with nothing, pasting is typing more at once. Offsets count
/// characters as a person sees them (`Character`), not units of an encoding.
public struct TextEdit: Hashable, Sendable {
  /// Which key deletes: the one that takes the character before the caret, or the one that takes the character after it.
  public enum Direction: Hashable, Sendable {
    case backward
    case forward
  }
  public var range: Range<Int>
  public var replacement: String
  /// Matters only when the range holds nothing that can be deleted, as a grouping separator: then what stands before it,
  /// or after it, is deleted instead. An ``Interactor`` finds it out by the caret, if the control does not say.
  public var direction: Direction

  public init(replacing range: Range<Int>, with replacement: String, direction: Direction = .backward) {
    self.range = range
    self.replacement = replacement
    self.direction = direction
  }

  /// The text with the replacement in place, as it stands. The range is clamped to the text.
  public func applied(to text: String) -> String {
    let characters = Array(text)
    let range = range.clamped(to: 0..<characters.count)
    return String(characters[..<range.lowerBound]) + replacement + String(characters[range.upperBound...])
  }
}

/// A text, and where the caret stands in it or what of it is selected.
public struct EditedText: Hashable, Sendable {
  public var text: String
  /// In characters. Empty: the caret.
  public var selection: Range<Int>

  public init(_ text: String, selection: Range<Int>) {
    self.text = text
    self.selection = selection
  }

  /// The caret stands before the character at `caret`.
  public init(_ text: String, caret: Int) { self.init(text, selection: caret..<caret) }
}
