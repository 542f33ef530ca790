/// A format of plain text, in one line.
///
/// ```swift
/// let name = PlainTextFormat(maximumLength: 40)
/// let full = try name.edit(TextEdit(replacing: 3..<3, with: "\nLovelace"), of: "Ada").text   // "Ada Lovelace"
/// ```
///
/// A line break becomes a space, also in what ``format(_:)`` writes. The length is counted in characters as a person sees
/// them (`Character`). The limit applies to what is typed and pasted: an edit that exceeds it is rejected as a whole. A
/// longer value is still written, and can be made shorter.
public struct PlainTextFormat: TextFormat, Hashable {
  /// The greatest number of characters; nil for no limit.
  public var maximumLength: Int?

  /// Makes a format.
  ///
  /// - Parameter maximumLength: The greatest number of characters; nil for no limit.
  public init(maximumLength: Int? = nil) {
    precondition(maximumLength ?? 0 >= 0, "PlainTextFormat: a length is not negative")
    self.maximumLength = maximumLength
  }

  public func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    let range = edit.range.clamped(to: 0..<text.count)
    let replacement = Self.inOneLine(edit.replacement)
    let edited = TextEdit(replacing: range, with: replacement).applied(to: text)
    if let maximumLength, edited.count > max(maximumLength, text.count) {
      throw InputRejection(
        .tooLong, maximumLength == 1 ? "At most 1 character." : "At most \(maximumLength) characters.")
    }
    // A typed accent combines with the letter before it: the characters are counted after they are combined.
    let before = String(text.prefix(range.lowerBound)) + replacement
    return EditedText(edited, caret: min(before.count, edited.count))
  }

  public func parse(_ text: String) -> String { text }

  public func format(_ value: String) -> String { Self.inOneLine(value) }

  private static func inOneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}

extension TextFormat where Self == PlainTextFormat {
  /// A format of plain text. See ``PlainTextFormat``.
  public static var text: Self { PlainTextFormat() }

  /// A format of plain text of a limited length. See ``PlainTextFormat``.
  ///
  /// - Parameter maximumLength: The greatest number of characters.
  public static func text(maximumLength: Int) -> Self { PlainTextFormat(maximumLength: maximumLength) }
}
