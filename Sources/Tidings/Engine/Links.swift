/// The subscriptions that a relay holds to its sources.
final class Links: Sendable {
  private let subscriptions = Lock<[Subscription]>([])
  func keep(_ subscription: Subscription) { subscriptions.withLock { $0.append(subscription) } }
}

/// State of an operator, for one subscription.
final class OperatorState<Value>: @unchecked Sendable {  // only who delivers touches it, one at a time
  var value: Value
  init(_ value: Value) { self.value = value }
}

extension Delivery {
  /// A value that comes through another event, whose delivery somebody may wait for.
  func relay(_ value: Payload, _ passage: Passage) {
    passage.ticket?.enter()
    emit(value, passage)
  }
}
