/// The subscriptions that a relay holds to its sources.
final class Links: Sendable {
  private let subscriptions = Lock<[Subscription]>([])

  func keep(_ subscription: Subscription) {
    Watch.leaveOut(subscription)
    subscriptions.withLock { $0.append(subscription) }
  }
  /// What a source has taken on is silenced there: its relay has yet to hear of it.
  func pause() { for subscription in subscriptions.withLock({ $0 }) { subscription.pause() } }
  func resume() { for subscription in subscriptions.withLock({ $0 }) { subscription.resume() } }
}

/// State of an operator, for one subscription.
@usableFromInline
final class OperatorState<Value>: @unchecked Sendable {  // only who delivers touches it, one at a time
  @usableFromInline var value: Value
  @usableFromInline init(_ value: Value) { self.value = value }
}
