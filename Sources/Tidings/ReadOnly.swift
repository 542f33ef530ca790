/// A value that can be read and observed, and not set: the face that a type shows of an ``Observed`` that it keeps.
///
/// ```swift
/// final class Thermometer: Sendable {
///   private let measured = Observed(20.0)
///   var temperature: ReadOnly<Double> { measured.readOnly }
/// }
/// ```
///
/// It keeps the value's source alive, as the source itself would.
@dynamicMemberLookup
public struct ReadOnly<Value: Sendable>: ValueSource {
  let source: any ValueSource<Value>

  /// Any source, behind this face.
  public init(_ source: any ValueSource<Value>) { self.source = source }

  public var value: Value { source.value }
  public func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    source.attach(handler, tellingInitial: tellingInitial, isolation: isolation)
  }
  public var reader: ValueReader<Value> { source.reader }
}
