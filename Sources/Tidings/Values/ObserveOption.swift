/// Whether a handler of a value begins with the current value.
public struct ObserveOption: Sendable {
  /// The handler immediately receives the current value, with `old` nil.
  public static var initial: Self { Self() }
}
