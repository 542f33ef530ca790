/// When an interactor writes the draft to the property.
public enum CommitPolicy: Hashable, Sendable {
  /// With every edit that leaves a valid text.
  case everyChange
  /// When the editing ends, by return or because the focus moves. This is the default.
  case atEnd
  /// When the program calls ``Interactor/commit()`` or ``Form/commit()``.
  case explicitly
}
