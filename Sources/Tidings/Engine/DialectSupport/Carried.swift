/// A value that crosses threads on the word of whoever sends it.
///
/// For what stands on an `Event` for code whose signatures were fixed before `Sendable` existed, and promise any thread all
/// the same. Each use says why its values bear it.
package struct Carried<Value>: @unchecked Sendable {  // see above
  package let value: Value
  package init(_ value: Value) { self.value = value }
}

extension Event {
  /// Adds a handler that the event keeps: the subscription may be dropped. Whether the closure bears being called from
  /// any thread is the caller's word too.
  package func keep(
    unchecked handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let subscription = Subscription(delivery, owned: true, site: CallSite(file: file, line: line))
    delivery.add(HandlerSlot(plain(unchecked: handler)), for: subscription)
    return subscription
  }
}
