/// The rule by which an assignment counts as a change of a property, for ``ObservedAs(_:)``.
///
/// A `ChangePolicy` by another name: the argument of a macro is checked without the property, so it cannot depend on the
/// property's type.
public enum PropertyChangePolicy: Sendable {
  /// Every assignment is a change, also of an equal value. The default.
  case every

  /// An assignment is a change when the new value is not equal to the old one. The type is `Equatable`.
  case distinct
}
