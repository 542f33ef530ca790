/// The replacement of a range of a text by another text.
///
/// Typing replaces the selection, deleting replaces a range by nothing, and pasting is typing several characters in one
/// edit. Offsets count characters as a person sees them (`Character`), not units of an encoding.
public struct TextEdit: Hashable, Sendable {
  /// Which character the key deletes: the one before the caret, or the one after it.
  public enum Direction: Hashable, Sendable {
    /// The character before the caret.
    case backward
    /// The character after the caret.
    case forward
  }
  /// The range that is replaced, in characters.
  public var range: Range<Int>
  /// The text that replaces it.
  public var replacement: String
  /// Matters only when the range has nothing that can be deleted, such as a grouping separator: then the character before
  /// it, or after it, is deleted instead. An ``Interactor`` derives it from the caret if the control does not set it.
  public var direction: Direction

  /// Makes an edit.
  ///
  /// - Parameters:
  ///   - range: The range that is replaced, in characters.
  ///   - replacement: The text that replaces it.
  ///   - direction: Which character the key deletes; see `direction`.
  public init(replacing range: Range<Int>, with replacement: String, direction: Direction = .backward) {
    self.range = range
    self.replacement = replacement
    self.direction = direction
  }

  /// The text after the edit, without a format. The range is clamped to the text.
  ///
  /// - Parameter text: The text before the edit.
  /// - Returns: The text after it.
  public func applied(to text: String) -> String {
    let characters = Array(text)
    let range = range.clamped(to: 0..<characters.count)
    return String(characters[..<range.lowerBound]) + replacement + String(characters[range.upperBound...])
  }
}
