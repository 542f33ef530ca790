public import Tidings

/// Fails if a subscription that was made in `body` outlives it.
///
/// ```swift
/// @Test func aClosedBoardReceivesNothing() throws {
///   try expectNoLeakedSubscriptions {
///     let board = Board(following: market)
///     board.close()
///   }
/// }
/// ```
///
/// The error, ``LeakedSubscriptions``, fails a test of every framework. It names the source of each subscription and, in
/// debug builds, where the subscription was made. The subscriptions of events and values are counted, whatever owns them,
/// that `body` and the tasks that it started have made (not detached tasks, nor other threads). So concurrent tests do not
/// disturb each other. Subscriptions whose event or owner has been deinitialized are not counted, nor are those of local
/// events; their `diagnostics` lists them.
///
/// - Parameter body: The code under test.
/// - Throws: ``LeakedSubscriptions``, or what `body` throws.
public func expectNoLeakedSubscriptions(_ body: () throws -> Void) throws {
  let watch = LeakWatcher()
  try watch.during(body)
  try LeakedSubscriptions.check(watch)
}

/// Fails if a subscription that was made in an asynchronous `body` outlives it. It waits for what the tasks of `body` are
/// about to end.
///
/// - Parameters:
///   - isolation: The caller's actor. Filled in by the compiler.
///   - body: The code under test.
/// - Throws: ``LeakedSubscriptions``, or what `body` throws.
public func expectNoLeakedSubscriptions(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
  let watch = LeakWatcher()
  try await watch.during(body)
  try LeakedSubscriptions.check(watch)
}

/// The subscriptions that were left after a body that should leave none.
public struct LeakedSubscriptions: Error, CustomStringConvertible {
  /// One subscription that was left.
  public struct Leak: Sendable, CustomStringConvertible {
    /// The label of the event or value, or where it was made.
    public let source: String
    /// The place where the subscription was made, in debug builds, and the values that are on their way to it.
    public let site: Diagnostics.Site

    public var description: String { "\(source): \(site)" }
  }

  /// The subscriptions, in the order in which they were made.
  public let leaks: [Leak]

  public var description: String {
    let lines = leaks.enumerated().map { "\n  \($0 + 1). \($1)" }
    return "\(leaks.count) leaked \(leaks.count == 1 ? "subscription" : "subscriptions")" + lines.joined()
  }

  static func check(_ watch: LeakWatcher) throws {
    let left = watch.left
    if !left.isEmpty { throw LeakedSubscriptions(leaks: left) }
  }
}
