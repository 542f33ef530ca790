import Synchronization
import Tidings

/// The place where a handler was added, and the times of its calls. The handler retains the record.
final class HandlerRecord: Sendable {
  let number: UInt
  let file: StaticString
  let line: UInt
  let durations = Durations()
  /// The list of handlers that it was added to.
  private let source: ObjectAddress
  private weak let subscription: Subscription?
  private let log: ActivityLog
  private let made = ContinuousClock.now

  init(
    number: UInt, _ subscription: Subscription, source: ObjectAddress, file: StaticString, line: UInt, log: ActivityLog
  ) {
    self.number = number
    self.file = file
    self.line = line
    self.source = source
    self.log = log
    self.subscription = subscription
  }

  /// Call without a lock: it retains the subscription for a moment, which may turn out to be its last reference.
  var isSubscribed: Bool { subscription != nil }

  /// The nanoseconds since the record was made, which are not 0, when given 0; otherwise a call that began then is over.
  func time(callFrom start: UInt64) -> UInt64 {
    if start == 0 { return UInt64(max(1, Durations.nanoseconds(ContinuousClock.now - made))) }
    // The list still delivers on this thread. A question to a hook may have come to another one: there nothing is its cause.
    let cause = ObjectObservation.cause(of: source)
    let start = made + .nanoseconds(start)
    log.add(.call(handler: number, of: source, cause: cause), at: start, taking: durations.add(since: start))
    return 0
  }
}
