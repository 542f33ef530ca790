/// The error of a commit of a draft whose element was removed from its collection while it was edited.
///
/// The draft is kept. It can be committed when the collection has the element again, after an undo for example;
/// ``Interactor/revert()`` discards it.
public struct ElementRemoved: Error, Hashable, CustomStringConvertible {
  /// Makes the error.
  public init() {}
  public var description: String { "Meanwhile this was removed elsewhere." }
}
