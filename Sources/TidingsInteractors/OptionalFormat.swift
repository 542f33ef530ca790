/// A format for values that may be missing: no text is no value.
///
/// ```swift
/// let limit = DecimalFormat().optional
/// let shown = limit.format(nil)                       // ""
/// let value = try limit.parse("")                     // nil
/// ```
///
/// All else is as the format says that it is made of. Only a text without any character is no value; a sign alone is
/// refused as before.
public struct OptionalFormat<Base: TextFormat>: TextFormat {
  public typealias Value = Base.Value?
  public var base: Base

  public init(_ base: Base) { self.base = base }

  public func edit(_ edit: TextEdit, of text: String) throws(Refusal) -> EditedText { try base.edit(edit, of: text) }

  public func parse(_ text: String) throws(Refusal) -> Base.Value? { text.isEmpty ? nil : try base.parse(text) }

  public func format(_ value: Base.Value?) -> String { value.map(base.format) ?? "" }
}

extension OptionalFormat: Equatable where Base: Equatable {}
extension OptionalFormat: Hashable where Base: Hashable {}

extension TextFormat {
  /// The same format for values that may be missing. See ``OptionalFormat``.
  public var optional: OptionalFormat<Self> { OptionalFormat(self) }
}
