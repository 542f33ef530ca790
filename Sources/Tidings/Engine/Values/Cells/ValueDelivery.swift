import Synchronization

/// The handlers of one value, and those that are notified before a change.
///
/// A thread that changes the graph claims the delivery under the graph's lock, or queues the change there. So handlers receive
/// changes in the order in which they were made. The graph's lock is taken before the list's, never the other way round.
final class ValueDelivery<Value: Sendable>: Delivery<Change<Value>>, @unchecked Sendable {  // as its base
  /// Nil once the node was destroyed. Protected by the graph's lock.
  private var node: NodePointer?
  /// The graph of the node, or one that was merged into it, which counts this list among its members until the node is destroyed.
  private var graph: GraphPointer?
  /// Emits before a change; made when first asked for.
  private let before = Lock<Delivery<Change<Value>>?>(nil)
  /// Whether `before` was ever made.
  private let hasBefore = Atomic<Bool>(false)

  init(_ node: NodePointer) {
    self.node = node
    let body = node.pointee.body.takeUnretainedValue()
    super.init(EventIdentity(of: body.identity, label: body.identity.label), .serial, kind: body.kind)
    isInboxPlain = node.pointee.isPlain
    inbox = UnsafeMutableRawPointer(UnsafeMutablePointer<Change<Value>>.allocate(capacity: 1))
  }
  deinit { inbox.deallocate() }

  /// Adds the list to the members of the graph. Call under the graph's lock, before another thread can know the list.
  func join(_ graph: inout Graph) {
    self.graph = graph.pointer
    graph.members += 1
  }
  override func leave() -> UnsafeMutableRawPointer? {
    node = nil
    return graph.map { UnsafeMutableRawPointer($0) }
  }

  /// Stops watching the node. The next handler begins from scratch.
  override func emptied() {
    let context = Context.current
    guard let graph else { return }
    let retired = Graph.withRoot(of: graph) { graph -> RetiredPointer? in
      guard let node, hasNoHandlers, node.pointee.has(Node.watched) else { return nil }
      graph.unwatch(node)
      return graph.collect(for: context)
    }
    Retired.destroy(retired, context)
  }

  /// The value is final.
  override func end() {
    close()
    before.withLock { $0 }?.close()
  }

  // MARK: Before a change

  var willChange: Delivery<Change<Value>> {
    before.withLock { before in
      if let before { return before }
      let new = Delivery<Change<Value>>(
        EventIdentity(of: identity, label: identity.label.map { $0 + ".willChange" }), .serial,
        kind: "change of the observed value")
      before = new
      hasBefore.store(true, ordering: .relaxed)
      return new
    }
  }
  /// Nil while no handler is to be notified before a change.
  var beforeChange: Delivery<Change<Value>>? {
    guard hasBefore.load(ordering: .relaxed), let delivery = before.withLock({ $0 }) else { return nil }
    return delivery.hasNoHandlers ? nil : delivery
  }
  override func prepare(_ change: Change<Value>, _ delivering: DeliveryContext) {
    beforeChange?.emit(change, delivering)
  }
}
