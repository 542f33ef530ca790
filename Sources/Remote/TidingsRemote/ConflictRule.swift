/// A rule for a local change when another process has written the value in between.
///
/// ```swift
/// let stock = relay.value("stock.a", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
/// ```
///
/// A rule is applied where both have changed the value since they last agreed; and where the store holds an older value than this
/// process knows, because it was emptied or restored. A store that holds none counts as one that holds the initial value.
public struct ConflictRule<Value: Sendable>: Sendable {
  let resolve: @Sendable (_ base: Value, _ mine: Value, _ theirs: Value) -> Value

  /// The local change is written over the other: the last to write wins.
  public static var latest: ConflictRule { ConflictRule { _, mine, _ in mine } }

  /// The local change is given up for what the store holds: the first to write wins.
  public static var theirs: ConflictRule { ConflictRule { _, _, theirs in theirs } }

  /// A three-way merge.
  ///
  /// - Parameter merge: Makes one value of the last common one (`base`), the local one and the stored one. It may run more
  ///   than once, on any thread, and has no effect but its result.
  public static func merge(
    _ merge: @escaping @Sendable (_ base: Value, _ mine: Value, _ theirs: Value) -> Value
  ) -> ConflictRule {
    ConflictRule(resolve: merge)
  }
}
