/// How the messages of a kept event are given to its handlers: stored, at least once, until they are acknowledged.
///
/// ```swift
/// let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
/// ```
public struct KeptDelivery: Sendable {
  let attempts: Int
  let retryDelay: Duration
  let batch: Int

  /// Five attempts, the second after a tenth of a second, each further one after twice the delay before it.
  public static var kept: KeptDelivery { kept() }

  /// - Parameters:
  ///   - attempts: How often a handler may fail before the message counts as dead.
  ///   - retryDelay: The pause after the first failure; doubled after each further one.
  ///   - batch: How many messages a handler's process takes at a time, and so how many it may be given again when it is killed.
  public static func kept(attempts: Int = 5, retryDelay: Duration = .milliseconds(100), batch: Int = 64) -> KeptDelivery
  {
    KeptDelivery(attempts: max(1, attempts), retryDelay: retryDelay, batch: max(1, batch))
  }

  func delay(after attempt: Int) -> Duration { retryDelay * (1 << min(max(attempt - 1, 0), 16)) }
}

/// A kept message as its handler is given it.
public struct KeptMessage<Payload: Sendable>: Sendable {
  /// The payload as it was sent.
  public let payload: Payload
  /// The id under which it was sent. An effect that is recorded under it happens once, however often the message is handled.
  public let id: String
  /// 1 for the first time that it is given to a handler.
  public let attempt: Int
  /// Its place in the store's order.
  public let sequence: UInt64
}
