/// How a value is written, how what is typed is read, and what a key does to the text on the way.
///
/// ```swift
/// let price = DecimalFormat(locale: Locale(identifier: "de_DE"))
/// let shown = price.format(1234)                                             // "1.234,0"
/// let value = try price.parse("1.234,5")                                     // 1234.5
/// let typed = try price.edit(TextEdit(replacing: 0..<0, with: ","), of: "")  // "0,", the caret at its end
/// ```
///
/// A format is a value without state: the text and the selection are the control's, the value is the model's. Write one
/// of your own by conforming a structure. What ``edit(_:of:)`` lets through need not be a value yet, as "-" is none;
/// what ``format(_:)`` writes is always read again by ``parse(_:)``, though not always as the same value: a format may round.
public protocol TextFormat<Value>: Sendable {
  associatedtype Value: Sendable

  /// What becomes of `text` when somebody types, deletes or pastes as `edit` says, and where the caret stands then.
  ///
  /// - Throws: Why nothing of it is done.
  func edit(_ edit: TextEdit, of text: String) throws(Refusal) -> EditedText

  /// The value that the text stands for.
  ///
  /// - Throws: Why it stands for none.
  func parse(_ text: String) throws(Refusal) -> Value

  /// The text that stands for the value when nobody is editing it.
  func format(_ value: Value) -> String
}
