public import Tidings

/// Fails when a subscription that was made in `body` outlives it.
///
/// ```swift
/// @Test func aClosedBoardHearsNothing() throws {
///   try expectNoLeakedSubscriptions {
///     let board = Board(following: market)
///     board.close()
///   }
/// }
/// ```
///
/// It throws ``LeakedSubscriptions``, which fails a test of every framework and says what each was made on and, in debug
/// builds, where. Counted are the subscriptions of events and values, whoever owns them, that were made by `body` and the
/// tasks that it started (not detached ones, nor other threads), so tests that run at the same time do not disturb each
/// other. Not counted are those whose event or owner has gone, and those of local events, whose `diagnosis` tells.
public func expectNoLeakedSubscriptions(_ body: () throws -> Void) throws {
  let watch = LeakWatcher()
  try watch.during(body)
  try LeakedSubscriptions.check(watch)
}

/// The same for a body that waits. What its tasks are to end, it waits for.
public func expectNoLeakedSubscriptions(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
  let watch = LeakWatcher()
  try await watch.during(body)
  try LeakedSubscriptions.check(watch)
}

/// Subscriptions that were left where there should be none.
public struct LeakedSubscriptions: Error, CustomStringConvertible {
  /// One of them.
  public struct Leak: Sendable, CustomStringConvertible {
    /// The label of the event or value, or where it was made.
    public let source: String
    /// Where the subscription was made, in debug builds, and what is on its way to it.
    public let site: Diagnosis.Site

    public var description: String { "\(source): \(site)" }
  }

  /// In the order in which they were made.
  public let leaks: [Leak]

  public var description: String {
    let lines = leaks.enumerated().map { "\n  \($0 + 1). \($1)" }
    return "\(leaks.count) leaked \(leaks.count == 1 ? "subscription" : "subscriptions")" + lines.joined()
  }

  static func check(_ watch: LeakWatcher) throws {
    let left = watch.left
    if !left.isEmpty { throw LeakedSubscriptions(leaks: left.map { Leak(source: $0.source, site: $0.site) }) }
  }
}
