extension Source {
  /// Calls the handler with each change, until the token is cancelled or dropped. With `initial` it is first called with the value
  /// there is, and no old one.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value?, _ new: Value) -> Void
  ) -> ValueSubscription {
    handle.observe(ValueHandler<Value>(waitsForInitial: initial, handler), initial: initial)
  }
}

extension Computed {
  /// Calls the handler with each change, at most once for each propagation. While it is observed, the value is computed when something
  /// that it has read has changed.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value?, _ new: Value) -> Void
  ) -> ValueSubscription {
    handle.observe(ValueHandler<Value>(waitsForInitial: initial, handler), initial: initial)
  }
}

/// The token of a handler. Dropping it cancels.
public final class ValueSubscription: @unchecked Sendable {  // the node pointer is constant, and has a reference
  private let remove: @Sendable () -> Bool
  /// Nil for a source, which a token does not keep.
  private let computed: NodePointer?

  fileprivate init(_ node: NodePointer, _ remove: @escaping @Sendable () -> Bool) {
    self.remove = remove
    computed = node.has(Node.isSource) ? nil : node
    computed?.retain()
  }
  deinit {
    cancel()
    if let computed {
      Context.current.releaseLater(computed)
      Context.current.finish()
    }
  }

  /// Once it has returned no call of the handler begins.
  public func cancel() {
    if remove(), let computed { Context.current.unwatchIfEmpty(computed) }
  }
}

extension NodeHandle {
  fileprivate func observe<Value>(_ handler: ValueHandler<Value>, initial: Bool) -> ValueSubscription {
    let context = Context.current
    let new = Watch(SerialHandlers<Value>())
    var value: Value?
    var list: SerialHandlers<Value>?
    context.attach(node, new) { delivery, words in
      let handlers = unsafeDowncast(delivery, to: SerialHandlers<Value>.self)
      if initial { value = Words<Value>.load(words) }
      handlers.add(handler)
      list = handlers
    }
    let handlers = list.unsafelyUnwrapped
    let subscription = ValueSubscription(node) { [weak handler] in handler.map { handlers.remove($0) } ?? false }
    if let value { context.nested { handler.begin(value) } }
    context.notify()
    context.finish()
    return subscription
  }
}
