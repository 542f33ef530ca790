/// Reads a value without retaining its source.
///
/// `chain`, `combine` and member look-up read through it, so that a subscription to them retains no source.
public struct ValueReader<Value: Sendable>: Sendable {
  private let read: @Sendable () -> Value

  /// Makes a reader, for a value source of your own that wraps another: `ValueReader { source.value }`.
  ///
  /// - Parameter read: Returns the current value.
  public init(_ read: @escaping @Sendable () -> Value) { self.read = read }
  /// The current value.
  public var value: Value { read() }
}
