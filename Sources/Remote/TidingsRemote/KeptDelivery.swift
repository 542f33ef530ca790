/// How the messages of a kept event are given to its handlers: stored, at least once, until they are acknowledged.
///
/// ```swift
/// let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
/// ```
public struct KeptDelivery: Sendable {
  let attempts: Int
  let retryDelay: Duration
  let batch: Int
  let timeout: Duration?
  let clock: any Clock<Duration>

  /// Five attempts, the second after a tenth of a second, each further one after twice the delay before it.
  public static var kept: KeptDelivery { kept() }

  /// - Parameters:
  ///   - attempts: How often a handler may fail before the message counts as dead. It fails when it throws, and when it takes
  ///     longer than the timeout. When a process ends, the messages that it had claimed are suspects: from then on each counts an
  ///     attempt when its own handler begins.
  ///   - retryDelay: The pause after the first failure; doubled after each further one, up to an hour.
  ///   - batch: How many messages a handler's process takes at a time, at most 4,096, and so how many it may be given again when
  ///     it is killed. Those that wait behind a call which has taken ten seconds are given to other processes.
  ///   - timeout: How long a call of the handler may take; as long as its process lives, unless given. After that the call is
  ///     cancelled, and its message is given out again or dead. The process handles no further message under this name until
  ///     the call has returned, so that calls never overlap.
  ///   - clock: Measures the timeout and the ten seconds.
  public static func kept(
    attempts: Int = 5, retryDelay: Duration = .milliseconds(100), batch: Int = 64, timeout: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> KeptDelivery {
    KeptDelivery(
      attempts: max(1, attempts), retryDelay: min(retryDelay.bounded, longestDelay), batch: min(max(1, batch), 4_096),
      timeout: timeout?.bounded, clock: clock)
  }

  /// Nothing that a store keeps is due later than this after now; what seems to be comes of a clock that was set.
  package static let longestDelay = Duration.seconds(3_600)
  func delay(after attempt: Int) -> Duration {
    min(retryDelay * (1 << min(max(attempt - 1, 0), 16)), Self.longestDelay)
  }
}

/// A kept message as its handler is given it.
public struct KeptMessage<Payload: Sendable>: Sendable {
  /// The payload as it was sent.
  public let payload: Payload
  /// The id under which it was sent. An effect that is recorded under it happens once, however often the message is handled.
  public let id: String
  /// 1 for the first attempt. An attempt during which a process ended counts if one had ended before with this message.
  public let attempt: Int
  /// Its place in the store's order.
  public let sequence: UInt64
}
