/// How a value is written and parsed, and how an edit changes its text.
///
/// ```swift
/// let price = DecimalFormat(locale: Locale(identifier: "de_DE"))
/// let shown = price.format(1234)                                             // "1.234,0"
/// let value = try price.parse("1.234,5")                                     // 1234.5
/// let typed = try price.edit(TextEdit(replacing: 0..<0, with: ","), of: "")  // "0,", the caret at its end
/// ```
///
/// A format is a value without state: the control has the text and the selection, the model has the value. Write your own by
/// conforming a structure. A text that ``edit(_:of:)`` accepts need not be a value yet; "-" is none. A text that
/// ``format(_:)`` writes can always be parsed by ``parse(_:)``, though not always to the same value: a format may round.
public protocol TextFormat<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// The text and the caret after a person's edit.
  ///
  /// - Parameters:
  ///   - edit: What the person types, deletes or pastes.
  ///   - text: The text before the edit.
  /// - Returns: The text after it, which may differ from the plain edit.
  /// - Throws: Why the edit is rejected as a whole.
  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText

  /// Whether a text may mean something else than the person thinks who typed it, since keys were rejected meanwhile.
  ///
  /// A person who types `12.50` where the dot groups thousands sees `1250`: the dot was rejected and the digits were not. An
  /// ``Interactor`` does not write a text that is ambiguous. False unless implemented.
  ///
  /// - Parameters:
  ///   - text: The text now.
  ///   - rejected: The edits that ``edit(_:of:)`` has rejected, in their order.
  /// - Returns: Whether the text is ambiguous.
  func isAmbiguous(_ text: String, after rejected: [RejectedEdit]) -> Bool

  /// The value of a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: The value.
  /// - Throws: Why the text has no value.
  func parse(_ text: String) throws(InputRejection) -> Value

  /// The text of a value that is not being edited.
  ///
  /// - Parameter value: The value.
  /// - Returns: The text, which ``parse(_:)`` accepts.
  func format(_ value: Value) -> String
}

extension TextFormat {
  public func isAmbiguous(_ text: String, after rejected: [RejectedEdit]) -> Bool { false }
}
