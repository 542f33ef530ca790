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

  /// A property of an object on the main actor, as a ``MainObserved`` makes one.
  ///
  /// ```swift
  /// changes = PropertyChanges(.init(main: \.$volume, $volume), .init(main: \.$isMuted, $isMuted))
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: What events call it, a literal such as `\.$volume`, which captures nothing.
  ///   - property: The property itself, which is not kept alive.
  @MainActor
  public init<Value>(main keyPath: KeyPath<Root, Observed<Value>>, _ property: Observed<Value>) {
    // A name: it is compared as a `PartialKeyPath`, and no value is ever read through it.
    self.init(asSendable(keyPath), property)
  }
}
