/// A text with its selection or caret.
public struct EditedText: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The selection, in characters. An empty range is the caret.
  public var selection: Range<Int>

  /// Makes a text with a selection.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - selection: The selection, in characters.
  public init(_ text: String, selection: Range<Int>) {
    self.text = text
    self.selection = selection
  }

  /// Makes a text with the caret before the character at `caret`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - caret: The offset of the caret, in characters.
  public init(_ text: String, caret: Int) { self.init(text, selection: caret..<caret) }
}
