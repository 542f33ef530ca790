import Synchronization

extension Cell {
  /// Ends the handlers of a source that was deinitialized, and of the values that are final with it. They keep the last value.
  func close() {
    let context = Context.current
    // The code that released this source delivers, on its actor, everything that was pending before.
    let wasPending = context.pointee.notifications.isPending
    node.pointee.list?._withUnsafeGuaranteedRef { $0.end() }
    Graph.makeFinal(node, context)
    releaseReference(to: node)
    if !wasPending, context.pointee.notifications.isPending { Context.drain(context, nil) }
  }

  var reader: ValueReader<Value> {
    Graph.retain(node)
    let kept = KeptCell(self)
    return ValueReader { kept.cell.value }
  }

  /// Reads how often a source has been written, as a dependency.
  var versionReader: @Sendable () -> UInt {
    Graph.retain(node)
    let kept = KeptCell(self)
    return { versionNumber(of: kept.cell.node) }
  }

  var willChange: AnyEventSource<Change<Value>> {
    let delivery = makeDelivery()
    let before = delivery.willChange
    Graph.with(node) { _ in makeCautious(node) }
    return AnyEventSource(.serial) { handler in before.attach(handler) }
  }

  /// Waits until every handler has handled the changes that were made before.
  func drained() async { await knownDelivery?.drained() }

  var diagnostics: Diagnostics {
    knownDelivery?.diagnostics
      ?? node.pointee.body._withUnsafeGuaranteedRef { Diagnostics(of: $0, waiting: 0, subscriptions: []) }
  }

  /// Adds a handler at a moment at which the handlers before it have been notified of the value, or are sure to be. It is added
  /// before it is called with the initial value. A change that it or another thread makes meanwhile is delivered afterwards, once.
  /// In a computation the call is made after it, and a gate holds back the changes until then.
  @_optimize(size)
  func attach(
    _ handler: EventHandler<Change<Value>>, sendingInitial: Bool, _ here: (any Actor)?
  ) -> Subscription {
    let context = Context.current
    let delivery = makeDelivery()
    #if DEBUG
    delivery.checkGrowth(at: handler.site, handler.selfCancellation)
    #endif
    let subscription = Subscription(delivery, site: handler.site)
    handler.selfCancellation?.bind(subscription)
    let isLater = sendingInitial && CausalFrame.isInComputation
    var slot: Slot? = handler.makeSlot(for: subscription)
    var gate: InitialGate<Change<Value>>?
    func holdBack() {
      let new = InitialGate<Change<Value>>(slot.unsafelyUnwrapped, of: delivery)
      slot = GatedSlot(slot.unsafelyUnwrapped, new)
      gate = new
    }
    if isLater { holdBack() }
    let delivering = DeliveryContext(here: here, counter: nil)
    let isPinned = context.pointee.seen.snapshot != 0
    while true {
      if !node.pointee.isSource { makeFresh(context) }
      let batch = context.pointee.notifications.emptyBatch(depth: CausalFrame.causalDepth(context))
      var initial: Value?
      let (outcome, retired) = Graph.with(node) { graph -> (Attaching, RetiredObjects) in
        if node.pointee.isFinal {
          if sendingInitial { initial = Self.value(node.pointee.latest.unsafelyUnwrapped).pointee }
          return (.final, RetiredObjects())
        }
        // A pinned thread may be inside the cycle. Then its handler is notified of the value that the node becomes.
        guard let newest = node.pointee.latest, isPinned || !node.pointee.isUnknown else {
          return (.again, RetiredObjects())
        }
        if !node.pointee.isSource, node.pointee.has(Node.watched) {
          if !isPinned { graph.pin(context) }
          if let comparison = graph.notify(node, batch.depth, context) {
            return (.compare(comparison), RetiredObjects())
          }
        }
        // The initial value comes before every change. So this call delivers, or a gate holds back the changes that another call
        // delivers.
        let isMine =
          sendingInitial && !isLater && context.pointee.notifications.claimCount == batch.firstClaim
          && delivery.claim() != nil
        if sendingInitial, !isMine, gate == nil, context.pointee.notifications.claimCount == batch.firstClaim {
          return (.busy, RetiredObjects())
        }
        if !node.pointee.isSource, !node.pointee.has(Node.watched) { graph.watch(node) }
        // For a derived value, take the value last notified: the next change continues from there.
        if sendingInitial { initial = Self.value(node.pointee.notified ?? newest).pointee }
        if let initial { gate?.push(initial: Change(old: nil, new: initial)) }
        let retired = delivery.enter(
          .passRetained(slot.unsafelyUnwrapped), for: subscription, owned: handler.selfCancellation != nil)
        if !node.pointee.isSource, node.pointee.has(Node.stale) || node.pointee.isUnknown,
          !node.pointee.has(Node.queued)
        {
          graph.enqueue(node, context)
        }
        return (isMine ? .claimed : .added, retired)
      }
      if case .final = outcome {
        handler.selfCancellation?.unbind()
        (slot, gate) = (nil, nil)  // or the handler would be attached twice
        return attachToFinal(handler, initial, here, context)
      }
      if case .compare(let pointer) = outcome {
        let comparison = Comparison.consume(pointer)
        let areEqual = Context.compare(comparison, context)
        Graph.with(node) { $0.concludeComparison(comparison, areEqual: areEqual) }
      }
      context.pointee.seen.notifying &+= 1
      // Handlers, and the objects that they kept, are not part of a closure or a transaction that observes.
      Context.outsideComputation {
        retired.dispose()
        if !isPinned, context.pointee.seen.snapshot != 0 { Context.unpin(context) }
      }
      if let initial {
        if isLater {
          // Weak: a token that is dropped meanwhile cancels.
          Context.start(here) { [weak slot, gate = gate.unsafelyUnwrapped] here in
            if let slot { gate.open(to: slot, delivery, here) }
          }
        } else {
          Context.untracked(context) {
            if let gate {
              gate.open(to: slot.unsafelyUnwrapped, delivery, here)
            } else if subscription.registration.isLive {
              delivery.notify(slot.unsafelyUnwrapped, Change<Value>(old: nil, new: initial), delivering)
            }
          }
        }
      }
      Context.outsideComputation {
        let paused = Transaction.pause()
        if case .claimed = outcome { delivery.endDelivery(delivering) }
        Context.notify(batch, context, here)
        if let paused { Transaction.resume(paused) }
      }
      context.pointee.seen.notifying &-= 1
      switch outcome {
      case .added, .claimed:
        if context.pointee.notifications.isPending { Context.drain(context, here) }
        return subscription
      case .busy: holdBack()
      case .again, .compare, .final: break
      }
    }
  }

  /// Attaches a handler to a value that never changes again: as to an event that emits the value, if `initial` is not nil, and
  /// finishes. It has a list of its own, since another thread may be about to end the handlers that came before.
  @_optimize(size)
  private func attachToFinal(
    _ handler: EventHandler<Change<Value>>, _ initial: Value?, _ here: (any Actor)?, _ context: ContextPointer
  ) -> Subscription {
    let body = body
    let delivery = Delivery<Change<Value>>(
      EventIdentity(of: body.identity, label: body.identity.label), .serial, kind: body.kind)
    let subscription = Subscription(delivery, site: handler.site)
    handler.selfCancellation?.bind(subscription)
    let slot = handler.makeSlot(for: subscription)
    delivery.add(.passRetained(slot), for: subscription, owned: handler.selfCancellation != nil)
    if initial != nil, CausalFrame.isInComputation {
      Context.start(here) { [weak subscription] here in
        if subscription?.isActive ?? false { conclude(delivery, slot, initial, here, context) }
      }
    } else {
      conclude(delivery, slot, initial, here, context)
    }
    return subscription
  }
  /// Calls the handler of a list of its own with the initial value, then ends the list.
  private func conclude(
    _ delivery: Delivery<Change<Value>>, _ slot: Slot, _ initial: Value?, _ here: (any Actor)?,
    _ context: ContextPointer
  ) {
    context.pointee.seen.notifying &+= 1
    if let initial {
      Context.untracked(context) {
        delivery.notify(slot, Change<Value>(old: nil, new: initial), DeliveryContext(here: here, counter: nil))
      }
    }
    Context.outsideComputation {
      let paused = Transaction.pause()
      delivery.close()
      if let paused { Transaction.resume(paused) }
    }
    context.pointee.seen.notifying &-= 1
    if context.pointee.notifications.isPending { Context.drain(context, here) }
  }

  /// Recomputes a derived value that may be stale, as all threads will see it: without the writes of this transaction.
  func makeFresh(_ context: ContextPointer) {
    if context.pointee.seen.snapshot != 0 {
      if !context.pointee.isOverlaid {
        _ = Context.pull(node, context)
        return
      }
      let aside = context.pointee.putOverlayAside()
      _ = Context.pull(node, context)
      for (node, version) in context.pointee.takeOverlayBack(aside) {
        Context.destroyVersion(version, of: node, context)
      }
      return
    }
    let isFresh = Graph.with(node) { graph in
      if !node.pointee.has(Node.stale), !node.pointee.isUnknown { return true }
      graph.pin(context)
      return false
    }
    if isFresh { return }
    _ = Context.pull(node, context)
    Context.unpin(context)
  }
}

private enum Attaching {
  case added, claimed, busy, again, final
  case compare(ComparisonPointer)
}

/// Keeps a node, not its facade.
private final class KeptCell<Value: Sendable>: Sendable {
  let cell: Cell<Value>
  init(_ cell: Cell<Value>) { self.cell = cell }
  deinit { releaseReference(to: cell.node) }
}
