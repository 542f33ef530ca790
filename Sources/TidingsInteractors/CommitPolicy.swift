/// When an interactor writes what was typed to the property.
public enum CommitPolicy: Hashable, Sendable {
  /// With every key that leaves a valid text.
  case everyChange
  /// When the editing ends, by return or because the focus goes elsewhere. The default.
  case atEnd
  /// When the program says so: ``Interactor/commit()``, ``Form/commit()``.
  case explicitly
}

/// Thrown by a commit while validators are still being waited for. ``Interactor/settled()`` waits for them.
public struct StillChecking: Error, Hashable, CustomStringConvertible {
  public init() {}
  public var description: String { "This is still being checked." }
}
