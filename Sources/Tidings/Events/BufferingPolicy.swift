/// How many values may wait for a stream's consumer or an asynchronous handler that is slower than the emitter.
///
/// ```swift
/// for await trade in traded.stream(buffering: .newest(64)) { show(trade) }
/// ```
///
/// Each consumer of a stream has its own buffer. ``EventStream/droppedCount`` counts the values that a stream's buffers
/// drop, ``Subscription/droppedCount`` those of an asynchronous handler.
public struct BufferingPolicy: Sendable, Equatable {
  /// `Int.max`: no limit.
  let limit: Int
  let keepsNewest: Bool

  /// Keeps every value, without a limit.
  public static let unbounded = BufferingPolicy(limit: .max, keepsNewest: true)

  /// Keeps the last `count` values: when the buffer is full, a new value replaces the oldest.
  ///
  /// - Parameter count: The capacity, at least 1.
  /// - Returns: The policy.
  public static func newest(_ count: Int) -> BufferingPolicy { bounded(count, keepsNewest: true) }

  /// Keeps the first `count` values: while the buffer is full, new values are dropped.
  ///
  /// - Parameter count: The capacity, at least 1.
  /// - Returns: The policy.
  public static func oldest(_ count: Int) -> BufferingPolicy { bounded(count, keepsNewest: false) }

  private static func bounded(_ count: Int, keepsNewest: Bool) -> BufferingPolicy {
    precondition(count > 0, "a stream's buffer holds one value at least")
    return BufferingPolicy(limit: count, keepsNewest: keepsNewest)
  }
}
