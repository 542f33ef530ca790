/// A property of an object, for ``PropertyChanges``.
public struct ObservedProperty<Root>: Sendable {
  let keyPath: any PartialKeyPath<Root> & Sendable
  let version: @Sendable () -> UInt

  /// Names a property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path in events: `\.name`, or `\.$name` of a wrapped property. In a class on an actor the property
  ///     is a `nonisolated let`: key paths to isolated properties are not `Sendable`.
  ///   - property: The property itself, which is not kept alive.
  public init<Value>(_ keyPath: any KeyPath<Root, Observed<Value>> & Sendable, _ property: Observed<Value>) {
    self.keyPath = keyPath
    version = property.cell.versionReader
  }
}
