/// Which writes of a value count as a change.
///
/// ```swift
/// let volume = Observed(0.5, changes: .distinct)
/// let place = Observed(home, changes: .by { $0.distance(to: $1) < 10 })
/// ```
///
/// Writing an equivalent value changes nothing and notifies no handler.
public struct ChangePolicy<Value>: Sendable {
  let areEquivalent: (@Sendable (Value, Value) -> Bool)?

  /// Every write is a change, also of an equal value. This is the default.
  public static var every: Self { Self(areEquivalent: nil) }

  /// A write is a change unless the closure returns true for the old and the new value.
  ///
  /// - Parameter areEquivalent: Compares the old and the new value. Runs while no lock is held, and again if another thread
  ///   writes meanwhile.
  /// - Returns: The policy.
  public static func by(_ areEquivalent: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Self {
    Self(areEquivalent: areEquivalent)
  }
}

extension ChangePolicy where Value: Equatable & Sendable {
  /// A write is a change when the new value is not equal to the old one.
  ///
  /// Writing NaN over NaN is no change, and neither is writing the very value that is there, whatever `==` says.
  public static var distinct: Self { .by(isSame) }
}
