extension ObservedProperty {
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
    // The key path is a name: it is compared as a `PartialKeyPath` by what it points to, and no value is ever read through it,
    // so the actor of the property does not matter. `Sendable` is a mark in the type and has no representation.
    self.init(unsafeBitCast(keyPath, to: (any KeyPath<Root, Observed<Value>> & Sendable).self), property)
  }
}
