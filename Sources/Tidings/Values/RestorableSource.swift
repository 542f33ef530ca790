/// A value whose earlier contents can be restored: what a history of a program's changes takes.
///
/// An `Observed` is one, and so are the collections of this package.
public protocol RestorableSource: Sendable {
  /// How the value is recorded and restored. A type that wraps a value passes on that of the value.
  var restoration: Restoration { get }
}

/// How a value is recorded and restored, for the products of this package.
public struct Restoration: Sendable {
  /// Restores contents that the value had, in a transaction.
  package let restore: @Sendable (_ old: any Sendable, _ isolation: isolated (any Actor)?) -> Void
  /// Whether writing `old` is no change, by the policy of the value.
  package let isRefused: @Sendable (_ old: any Sendable) -> Bool
  /// Whether a write of `new` is no change, by the policy of the value.
  package let isNoChange: @Sendable (_ old: any Sendable, _ new: any Sendable) -> Bool
  package let record: @Sendable (any WriteRecorder, _ index: Int) -> Void
  package let endRecording: @Sendable (any WriteRecorder) -> Void

  /// - Parameter restore: Writes contents that the value had; `set` unless given.
  package init<Value: Sendable>(
    _ value: Observed<Value>,
    restore: (@Sendable (_ old: Value, _ isolation: isolated (any Actor)?) -> Void)? = nil
  ) {
    let cell = value.cell
    let restore = restore ?? { old, isolation in value.set(old, isolation: isolation) }
    let policy: @Sendable (Value, Value) -> Bool = { old, new in
      cell.policy.map { cell.areEquivalent(old, new, $0) } ?? false
    }
    self.restore = { old, isolation in if let old = old as? Value { restore(old, isolation) } }
    isRefused = { [value] old in
      guard let old = old as? Value else { return true }
      let now = untracked { value.value }
      return policy(now, old) && !areKnownSame(now, old)
    }
    isNoChange = { old, new in
      guard let old = old as? Value, let new = new as? Value else { return false }
      return policy(old, new)
    }
    record = { [value] recorder, index in value.cell.record(with: recorder, at: index) }
    endRecording = { [value] recorder in value.cell.endRecording(with: recorder) }
  }
}
