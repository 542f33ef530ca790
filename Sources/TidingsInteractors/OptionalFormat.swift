/// A format of optional values: an empty text is nil.
///
/// ```swift
/// let limit = DecimalFormat().optional
/// let shown = limit.format(nil)                       // ""
/// let value = try limit.parse("")                     // nil
/// ```
///
/// Everything else is as in the base format. Only a text without any character is nil; a sign alone is rejected as before.
public struct OptionalFormat<Base: TextFormat>: TextFormat {
  /// The values of the base format, or nil.
  public typealias Value = Base.Value?
  /// The format of values that are not nil.
  public var base: Base

  /// Makes a format.
  ///
  /// - Parameter base: The format of values that are not nil.
  public init(_ base: Base) { self.base = base }

  public func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    try base.edit(edit, of: text)
  }

  public func isAmbiguous(_ text: String, after rejected: [RejectedEdit]) -> Bool {
    base.isAmbiguous(text, after: rejected)
  }

  public func parse(_ text: String) throws(InputRejection) -> Base.Value? { text.isEmpty ? nil : try base.parse(text) }

  public func format(_ value: Base.Value?) -> String { value.map(base.format) ?? "" }
}

extension OptionalFormat: Equatable where Base: Equatable {}
extension OptionalFormat: Hashable where Base: Hashable {}

extension TextFormat {
  /// This format for optional values. See ``OptionalFormat``.
  public var optional: OptionalFormat<Self> { OptionalFormat(self) }
}
