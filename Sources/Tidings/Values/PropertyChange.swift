/// The properties of an object that have changed.
public struct PropertyChange<Root>: Sendable {
  /// The key paths, in the order in which the properties were given.
  public let keyPaths: [any PartialKeyPath<Root> & Sendable]

  /// Whether the property has changed.
  ///
  /// - Parameter keyPath: The property, as it was named.
  /// - Returns: True if the key path is among ``keyPaths``.
  /// - Complexity: O(*n*) in the number of changed properties.
  @_alwaysEmitIntoClient
  public func contains(_ keyPath: PartialKeyPath<Root>) -> Bool { keyPaths.contains { $0 == keyPath } }
}
