/// Which settings of a value count as a change.
///
/// ```swift
/// let volume = Observed(0.5, changes: .distinct)
/// let place = Observed(home, changes: .by { $0.distance(to: $1) < 10 })
/// ```
///
/// Setting what counts as the same writes nothing and tells nobody.
public struct ChangePolicy<Value>: Sendable {
  let areEquivalent: (@Sendable (Value, Value) -> Bool)?

  /// Every setting is a change, also to an equal value. The default.
  public static var every: Self { Self(areEquivalent: nil) }

  /// A setting is a change unless the closure calls the old and the new value equivalent. It runs outside every lock,
  /// and again if another thread writes meanwhile.
  public static func by(_ areEquivalent: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Self {
    Self(areEquivalent: areEquivalent)
  }
}

extension ChangePolicy where Value: Equatable & Sendable {
  /// A setting is a change when the new value is not equal to the old.
  public static var distinct: Self { .by(==) }
}
