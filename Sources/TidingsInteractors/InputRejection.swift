/// Why an edit is rejected, or why a text has no value: a reason for programs, and a sentence for a person.
///
/// ```swift
/// do { _ = try IntegerFormat().edit(TextEdit(replacing: 0..<0, with: "x"), of: "") } catch { print(error) }
/// // “x” cannot be part of a whole number.
/// ```
public struct InputRejection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of reason.
  public enum Reason: Hashable, Sendable {
    /// None of the typed or pasted characters is valid in such a text.
    case foreignCharacters
    /// The text already has a separator.
    case secondSeparator
    /// A sign where none is allowed.
    case sign
    /// More digits before the separator than can be typed.
    case tooManyIntegerDigits
    /// More digits after the separator than can be typed.
    case tooManyFractionDigits
    /// The value cannot be represented.
    case tooLarge
    /// More characters than the limit.
    case tooLong
    /// The pasted text has more than one number, or one that means another number in other locales.
    case ambiguous
    /// The text is empty, and an empty text has no value.
    case empty
    /// The text is not, or not yet, a value.
    case incomplete
    /// A reason of a format of your own.
    case other
  }
  /// The kind of reason.
  public let reason: Reason
  /// A sentence for a person.
  public let description: String

  /// Makes a rejection.
  ///
  /// - Parameters:
  ///   - reason: The kind of reason, for code.
  ///   - description: A sentence for a person.
  public init(_ reason: Reason = .other, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
