/// Why a key is refused, or why a text stands for no value: for a program to tell apart, and in words for a person.
///
/// ```swift
/// do { _ = try IntegerFormat().edit(TextEdit(replacing: 0..<0, with: "x"), of: "") } catch { print(error) }
/// // “x” cannot be part of a whole number.
/// ```
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of reason it is.
  public enum Reason: Hashable, Sendable {
    /// Nothing of what was typed or pasted can stand in such a text.
    case foreignCharacters
    /// There is one already.
    case secondSeparator
    /// A sign where none is allowed.
    case sign
    case tooManyIntegerDigits
    case tooManyFractionDigits
    /// The value cannot be held.
    case tooLarge
    /// More characters than there may be.
    case tooLong
    /// What was pasted is more than one number, or one written in a way that means another number elsewhere.
    case ambiguous
    /// There is nothing, and nothing stands for no value.
    case empty
    /// There is a text, but it is not, or not yet, a value.
    case incomplete
    /// A reason of a format of your own.
    case other
  }
  public let reason: Reason
  /// A sentence.
  public let description: String

  public init(_ reason: Reason = .other, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
