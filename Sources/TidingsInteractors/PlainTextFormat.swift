/// Text as it is, in one line.
///
/// ```swift
/// let name = PlainTextFormat(maximumLength: 40)
/// let full = try name.edit(TextEdit(replacing: 3..<3, with: "\nLovelace"), of: "Ada").text   // "Ada Lovelace"
/// ```
///
/// The end of a line becomes a space, also in what ``format(_:)`` writes. A length is counted in characters as a person
/// sees them, and holds for what is typed and pasted: what does not fit is refused as a whole, a longer value is still
/// written, and can be made shorter.
public struct PlainTextFormat: TextFormat, Hashable {
  public var maximumLength: Int?

  public init(maximumLength: Int? = nil) {
    precondition(maximumLength ?? 0 >= 0, "PlainTextFormat: a length is not negative")
    self.maximumLength = maximumLength
  }

  public func edit(_ edit: TextEdit, of text: String) throws(Refusal) -> EditedText {
    let range = edit.range.clamped(to: 0..<text.count)
    let replacement = Self.inOneLine(edit.replacement)
    let edited = TextEdit(replacing: range, with: replacement).applied(to: text)
    if let maximumLength, edited.count > max(maximumLength, text.count) {
      throw Refusal(.tooLong, maximumLength == 1 ? "At most 1 character." : "At most \(maximumLength) characters.")
    }
    // An accent that is typed joins the letter before it: the characters are counted when they stand together.
    let before = String(text.prefix(range.lowerBound)) + replacement
    return EditedText(edited, caret: min(before.count, edited.count))
  }

  public func parse(_ text: String) -> String { text }

  public func format(_ value: String) -> String { Self.inOneLine(value) }

  private static func inOneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}

extension TextFormat where Self == PlainTextFormat {
  /// Text as it is. See ``PlainTextFormat``.
  public static var text: Self { PlainTextFormat() }

  /// Text of a limited length. See ``PlainTextFormat``.
  public static func text(maximumLength: Int) -> Self { PlainTextFormat(maximumLength: maximumLength) }
}
