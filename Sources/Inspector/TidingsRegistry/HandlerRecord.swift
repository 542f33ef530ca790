import Synchronization
import Tidings

/// Where a handler was added, and how long its calls took. The handler retains it.
final class HandlerRecord: Sendable {
  let number: UInt
  let file: StaticString
  let line: UInt
  let durations = Durations()
  /// The list of handlers that it was added to.
  private let source: ObjectAddress
  private weak let subscription: Subscription?
  private let log: ActivityLog

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

  var isSubscribed: Bool { subscription != nil }

  func time(_ call: () -> Void) {
    let cause = ObjectObservation.cause(of: source)
    let start = ContinuousClock.now
    call()
    log.add(.call(handler: number, of: source, cause: cause), at: start, taking: durations.add(since: start))
  }
}
