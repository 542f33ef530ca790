/// An element of a collection, found by its identity wherever it is moved.
///
/// The collections of this package return it for an identity. `Projection` of `TidingsInteractors` takes it.
public struct ElementReference<Element: Sendable>: Sendable {
  /// The element, nil while the collection has none with the identity.
  public let element: Derived<Element?>

  package typealias Update =
    @Sendable (
      _ isolation: isolated (any Actor)?, _ body: @escaping (inout Element?) throws -> Void
    ) throws -> Void
  /// Changes the element, atomically, as one edit of the collection. `body` runs again on the newer collection if another thread has
  /// edited it meanwhile; if it throws, nothing is written.
  package let update: Update

  package init(_ element: Derived<Element?>, update: @escaping Update) {
    (self.element, self.update) = (element, update)
  }
}
