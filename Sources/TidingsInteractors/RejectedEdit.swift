/// An edit that a format has rejected, and the text for which it was.
public struct RejectedEdit: Hashable, Sendable {
  /// The edit.
  public var edit: TextEdit
  /// The text, which the edit has not changed.
  public var text: String

  /// Makes a rejected edit.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - text: The text for which it was rejected.
  public init(_ edit: TextEdit, of text: String) {
    self.edit = edit
    self.text = text
  }
}
