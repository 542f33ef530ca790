/// The subscriptions that a relay holds to its sources.
@usableFromInline
final class UpstreamSubscriptions: Sendable {
  private let subscriptions = Lock<[Subscription]>([])
  /// They serve several handlers, of which none pauses them.
  private let isShared: Bool
  @usableFromInline init(areShared isShared: Bool = false) { self.isShared = isShared }

  @usableFromInline
  func keep(_ subscription: Subscription) {
    SubscriptionTracking.leaveOut(subscription)
    subscriptions.withLock { $0.appendUnspecialized(subscription) }
  }

  /// The same for one that replaces another.
  @usableFromInline
  func keep(_ subscription: Subscription, insteadOf old: Subscription?) {
    SubscriptionTracking.leaveOut(subscription)
    subscriptions.withLock { subscriptions in
      var kept: [Subscription] = []
      for other in subscriptions where other !== old { kept.appendUnspecialized(other) }
      kept.appendUnspecialized(subscription)
      subscriptions = kept
    }
  }

  /// Pauses or resumes them as the handler of the relay now is: a value that waits at a source is dropped there, since the
  /// relay has yet to receive it.
  ///
  /// The current state of the handler is read under the lock. So the last thread that comes here leaves the sources as the
  /// last `pause()` or `resume()` left the handler, whichever threads called those.
  func follow(_ registration: borrowing Registration) -> RetiredObjects {
    if isShared { return RetiredObjects() }
    return subscriptions.withLock { subscriptions in
      var retired = RetiredObjects()
      for subscription in subscriptions {
        let list = subscription.registration.list
        retired.add(
          registration.isPaused ? list.pause(subscription.registration) : list.resume(subscription.registration))
      }
      return retired
    }
  }
  var all: [Subscription] { subscriptions.withLock { $0 } }
  var areActive: Bool { all.allSatisfy { $0.isActive } }
}
