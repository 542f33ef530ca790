public import Tidings

extension ObservedProperty {
  /// A property that shows a `ReadOnly` face: events call it by the key path of that face.
  ///
  /// - Parameters:
  ///   - keyPath: The face, `\.$fills`.
  ///   - property: What the face reads.
  public init<Value>(readOnly keyPath: any KeyPath<Root, ReadOnly<Value>> & Sendable, _ property: Observed<Value>) {
    // The key path is a name: it is compared as a `PartialKeyPath`, by what it points to, and no value is ever read through
    // it, so that the type of its value does not matter. Both types are references to an object of class `AnyKeyPath`.
    self.init(unsafeBitCast(keyPath, to: (any KeyPath<Root, Observed<Value>> & Sendable).self), property)
  }
}
