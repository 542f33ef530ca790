/// A value whose contents are also kept elsewhere and come from there as a whole, as those that a `PersistentStore` loads.
///
/// The collections of this package are such sources. New contents replace the current ones by edits, so a list in view need not reload.
public protocol ReplaceableSource: ValueSource {
  /// Makes a source with its contents.
  ///
  /// - Parameters:
  ///   - contents: The initial contents.
  ///   - label: The name in reports.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle; nil for that of every value.
  ///   - file: Where it is made.
  ///   - line: The line there.
  init(_ contents: Value, label: String?, maximumDepth: Int?, file: StaticString, line: UInt)

  /// Replaces the contents, atomically, by the edits that lead to the new ones: one change.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor.
  ///   - body: Is passed the current contents, and returns the new ones, or nil to leave them. It runs again if another thread has
  ///     edited the source meanwhile.
  func replaceContents(isolation: isolated (any Actor)?, _ body: @escaping (_ current: Value) -> Value?)

  /// Calls a handler after each change, without making the contents for it.
  ///
  /// - Parameter handler: Called on any thread.
  /// - Returns: The subscription; dropping it cancels.
  func observeEdits(_ handler: @escaping @Sendable () -> Void) -> Subscription
}
