/// How much a stream or an asynchronous handler keeps that is slower than the values come.
///
/// ```swift
/// for await trade in traded.stream(buffering: .newest(64)) { show(trade) }
/// ```
///
/// Each consumer of a stream has a buffer of its own. What it drops, ``EventStream/droppedCount`` counts; of a handler,
/// ``Subscription/droppedCount``.
public struct BufferingPolicy: Sendable, Hashable {
  /// `Int.max` stands for none.
  let limit: Int
  let keepsNewest: Bool

  /// Keeps every value, for as long as memory lasts.
  public static let unbounded = BufferingPolicy(limit: .max, keepsNewest: true)

  /// Keeps the last `count` values: a new one takes the place of the oldest.
  public static func newest(_ count: Int) -> BufferingPolicy { bounded(count, keepsNewest: true) }

  /// Keeps the first `count` values: what comes while they wait is dropped.
  public static func oldest(_ count: Int) -> BufferingPolicy { bounded(count, keepsNewest: false) }

  private static func bounded(_ count: Int, keepsNewest: Bool) -> BufferingPolicy {
    precondition(count > 0, "a stream's buffer holds one value at least")
    return BufferingPolicy(limit: count, keepsNewest: keepsNewest)
  }
}
