/// The subscriptions that a relay holds to its sources.
@usableFromInline
final class UpstreamSubscriptions: Sendable {
  private let subscriptions = Lock<[Subscription]>([])
  /// They serve several handlers, of which none pauses them.
  private let isShared: Bool
  /// The relay ends with the source of the last one, whatever the others do.
  private let endsWithLast: Bool
  @usableFromInline init(areShared isShared: Bool = false, endWithLast endsWithLast: Bool = false) {
    (self.isShared, self.endsWithLast) = (isShared, endsWithLast)
  }

  @usableFromInline
  func keep(_ subscription: Subscription) {
    SubscriptionTracking.leaveOut(subscription)
    subscriptions.withLock { $0.appendUnspecialized(subscription) }
  }

  /// Those that have ended are kept no longer.
  @usableFromInline
  func leaveEnded() {
    // Released outside the lock.
    let all = subscriptions.withLock { subscriptions in
      let all = subscriptions
      var kept: [Subscription] = []
      for other in all where other.isActive { kept.appendUnspecialized(other) }
      subscriptions = kept
      return all
    }
    withExtendedLifetime(all) {}
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

  /// Whether a value may still come through them: one is active that leads to a source, if need be through other relays. A relay
  /// whose source has ended lives on until the delivery that is under way has returned.
  ///
  /// A loop, because a chain of operators may be longer than a stack. Looked at, and released, under no lock.
  var areConnected: Bool {
    var (path, place) = ([self], 0)
    while place < path.count {
      let links = path[place]
      place += 1
      let all = links.all
      for index in (links.endsWithLast ? max(0, all.count - 1) : 0)..<all.count where all[index].isActive {
        guard let slot = all[index].registration.list.slot(of: all[index]) else { continue }
        guard let further = slot.links else { return true }
        // Operators may lead back to themselves.
        var isKnown = false
        for other in path where other === further { isKnown = true }
        if !isKnown { path.appendUnspecialized(further) }
      }
    }
    return false
  }
}
