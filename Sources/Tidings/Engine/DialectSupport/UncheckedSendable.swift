/// A value that crosses threads unchecked: the caller asserts that this is safe.
///
/// For code on top of `Event` whose signatures were fixed before `Sendable` existed, and which promises any thread all the
/// same. Each use gives the reason why its values bear it.
package struct UncheckedSendable<Value>: @unchecked Sendable {  // see above
  package let value: Value
  package init(_ value: Value) { self.value = value }
}

extension Event {
  /// Adds a handler that the event retains: the subscription may be dropped. That the closure may be called on any thread is
  /// asserted by the caller too.
  package func keep(
    unchecked handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let subscription = Subscription(delivery, owned: true, site: CallSite(file: file, line: line))
    delivery.add(HandlerSlot(plain(unchecked: handler)), for: subscription)
    return subscription
  }
}
