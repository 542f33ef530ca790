extension Event {
  /// Adds a handler that the event retains: the subscription may be dropped. That the closure may be called on any thread is
  /// asserted by the caller too.
  package func keep(
    unchecked handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let subscription = Subscription(delivery, site: CallSite(file: file, line: line))
    delivery.add(
      .passRetained(ErasedHandlerSlot(Converted(plain: plain(unchecked: handler)).erased)), for: subscription,
      owned: true)
    return subscription
  }

  /// Calls every handler from a job of `target`. For `.serial` events.
  package func post(_ payload: Payload, to target: DeliveryTarget) {
    if delivery.hasNoHandlers { return }
    delivery.enqueue(
      payload, DeliveryContext(here: nil, counter: nil), depth: CausalFrame.currentDepth + 1, leavingTo: target)
  }
}
