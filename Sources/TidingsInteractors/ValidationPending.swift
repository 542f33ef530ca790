/// The error of a commit while asynchronous validators are running. ``Interactor/idle()`` waits for them.
public struct ValidationPending: Error, Hashable, CustomStringConvertible {
  /// Makes the error.
  public init() {}
  public var description: String { "This is still being checked." }
}
