import Synchronization

extension Cell {
  /// The source has gone: its handlers end, what was derived from it keeps the last value.
  func end() {
    if let list = node.pointee.list {
      unsafeDowncast(list.takeUnretainedValue(), to: ValueDelivery<Value>.self).endAll()
    }
    letGo(node)
  }

  var reader: ValueReader<Value> {
    graph.withLock { $0.retain(node) }
    let kept = KeptCell(self)
    return ValueReader { kept.cell.value }
  }

  /// How often a source has been written, as a dependency.
  var versionReader: @Sendable () -> UInt {
    graph.withLock { $0.retain(node) }
    let kept = KeptCell(self)
    return { version(of: kept.cell.node) }
  }

  var willChange: Operated<Change<Value>> {
    let delivery = makeDelivery()
    let before = delivery.willChange
    node.pointee.isCautious.store(true, ordering: .relaxed)
    return Operated(.serial) { handler in before.attach(handler) }
  }

  var diagnosis: Diagnosis {
    knownDelivery?.diagnosis
      ?? node.pointee.body._withUnsafeGuaranteedRef { Diagnosis(of: $0, waiting: 0, subscriptions: []) }
  }

  /// Adds a handler, at a moment at which everybody before it has been told of the value, or is sure to be.
  func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, _ here: (any Actor)?
  ) -> Subscription {
    let context = Context.current
    let delivery = makeDelivery()
    let subscription = Subscription(delivery, owned: handler.ending != nil, site: handler.site)
    handler.ending?.bind(subscription)
    let slot = handler.makeSlot()
    let passage = Passage(here: here, ticket: nil)
    let isPinned = context.pointee.snapshot != 0
    var told: (value: Value, version: UInt)?
    while true {
      if !node.pointee.isSource { makeFresh(context) }
      if tellingInitial {
        let (value, version) = committed()
        if told.map({ isOther(value, than: $0.value, context) }) ?? true {
          Context.untracked(context) {
            delivery.tell(slot, Change(old: told?.value, new: value), passage)
          }
        }
        told = (value, version)
      }
      let wave = context.pointee.news.emptyWave(depth: Frame.causalDepth(context))
      let (outcome, trash) = graph.withLock { graph -> (Attaching, Trash) in
        guard let newest = node.pointee.latest else { return (.again, Trash()) }
        if let told, told.version != newest.pointee.version { return (.again, Trash()) }
        if !node.pointee.isSource {
          if node.pointee.has(Node.watched) {
            if !isPinned { graph.pin(context) }
            if graph.tell(node, wave.depth, context) { return (.compare, Trash()) }
          } else {
            graph.watch(node)
          }
        }
        let trash = delivery.enter(slot, for: subscription)
        if !node.pointee.isSource, node.pointee.flags & (Node.stale | Node.queued) == Node.stale {
          graph.announce(node, context)
        }
        return (.added, trash)
      }
      if outcome == .compare {
        let comparison = context.pointee.comparison.unsafelyUnwrapped
        let areEqual = Context.compare(comparison, context)
        graph.withLock { $0.conclude(comparison, areEqual: areEqual) }
      }
      // Handlers, and what they kept, are no part of a closure that observes, nor of a transaction that does.
      Context.aside {
        trash.dispose()
        if !isPinned, context.pointee.snapshot != 0 { Context.unpin(context) }
        let paused = Transaction.pause()
        Context.tell(wave, context, here)
        if let paused { Transaction.resume(paused) }
      }
      if outcome == .added {
        if !context.pointee.news.isEmpty, context.pointee.telling == 0 { Context.drain(context, here) }
        return subscription
      }
    }
  }

  /// What is derived is told only when it differs.
  private func isOther(_ value: Value, than told: Value, _ context: ContextPointer) -> Bool {
    if node.pointee.isSource { return true }
    return node.pointee.body._withUnsafeGuaranteedRef { body in
      guard let areEqual = body.values.areEqual else { return true }
      return !Context.untracked(context) { areEquivalent(told, value, areEqual) }
    }
  }

  /// Computes a derived value if it may be another by now, as everybody will see it: without this transaction's writes.
  func makeFresh(_ context: ContextPointer) {
    if context.pointee.snapshot != 0 {
      _ = Context.pull(node, context)
      return
    }
    let isFresh = graph.withLock { graph in
      if !node.pointee.has(Node.stale) { return true }
      graph.pin(context)
      return false
    }
    if isFresh { return }
    _ = Context.pull(node, context)
    Context.unpin(context)
  }
}

private enum Attaching { case added, again, compare }

/// Keeps a node, not its facade.
private final class KeptCell<Value: Sendable>: Sendable {
  let cell: Cell<Value>
  init(_ cell: Cell<Value>) { self.cell = cell }
  deinit { letGo(cell.node) }
}
