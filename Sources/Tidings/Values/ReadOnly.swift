/// A value that can be read and observed, and not set: for a type that exposes an ``Observed`` that it owns.
///
/// ```swift
/// final class Thermometer: Sendable {
///   private let measured = Observed(20.0)
///   var temperature: ReadOnly<Double> { measured.readOnly }
/// }
/// ```
///
/// It retains the source.
@dynamicMemberLookup
public struct ReadOnly<Value: Sendable>: ValueSource {
  let source: any ValueSource<Value>

  /// Wraps any source.
  ///
  /// - Parameter source: The value to expose, which is retained.
  public init(_ source: any ValueSource<Value>) { self.source = source }

  public var value: Value { source.value }
  public func attach(
    _ handler: EventHandler<Change<Value>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    source.attach(handler, sendingInitial: sendingInitial, isolation: isolation)
  }
  public var reader: ValueReader<Value> { source.reader }
}
