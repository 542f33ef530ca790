import Tidings

extension Interactor {
  /// Resolves a ``conflict`` in favor of the draft, which replaces the value that came when the ``CommitPolicy`` next requires
  /// it: now, if it is written with every change, or at the end and the person has left the control.
  ///
  /// It does nothing without a conflict. A value that comes afterwards is a new one.
  public func keepMine() {
    guard conflict.value != nil else { return }
    origin.set(part.value)
    consider(drafted.value)
    if !attended.value, policy != .explicitly { commitIfPossible() }
  }

  /// Resolves a ``conflict`` in favor of the value that came: the draft is discarded, and the control shows the value, also while
  /// it is being edited. It does nothing without a conflict.
  public func takeTheirs() {
    if conflict.value != nil { revert() }
  }

  /// The property's value, if it would be lost by writing `value`: it is not the one of which the draft was made.
  func theirs(against value: Value) -> Value? {
    let current = part.value
    return areSame(current, origin.value) || areSame(current, value) ? nil : current
  }

  /// Called after a commit: what handlers of the property have made of the value is no conflict.
  func adopt() {
    guard hasWritten.value else { return }
    hasWritten.set(false)
    origin.set(part.value)
  }
}
