import Synchronization

// Waiting until what was emitted has been handled.
extension HandlerList {
  /// Returns when every value that was emitted before has been handled by every handler, on whichever actor.
  @_optimize(size)
  final func drained() async {
    if CausalFrame.contains(self) { return Diagnostics.reportWait(for: self) }
    await delivered()
    let (endpoints, relays) = state.withLock { state in
      Self.dropRetired(&state)
      var (endpoints, relays) = (state.retiring, [HandlerList]())
      for entry in entries(state) {
        Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
          if let endpoint = slot.endpoint { endpoints.appendUnspecialized(endpoint) }
          if let relay = slot.downstream { relays.appendUnspecialized(relay) }
        }
      }
      return (endpoints, relays)
    }
    for endpoint in endpoints { await endpoint.drained() }
    for relay in relays { await relay.drained() }
  }

  /// The same for one handler; where a relay is between it and its sources, for what those have emitted.
  @_optimize(size)
  final func drained(_ subscription: Subscription) async {
    if CausalFrame.contains(self) { return Diagnostics.reportWait(for: self) }
    let links = state.withLock { _ in
      subscription.registration.isLive
        ? Self.slot(of: subscription.registration.state.load(ordering: .relaxed))._withUnsafeGuaranteedRef { $0.links }
        : nil
    }
    for source in links?.all ?? [] { await source.drained() }
    await delivered()
    await endpoint(of: subscription)?.drained()
  }
  @_optimize(size)
  final func endpoint(of subscription: Subscription) -> Endpoint? {
    state.withLock { _ in
      let bits = subscription.registration.state.load(ordering: .relaxed)
      guard subscription.registration.isLive else { return Registration.endpoint(bits)?.takeUnretainedValue() }
      return Self.slot(of: bits)._withUnsafeGuaranteedRef { $0.endpoint }
    }
  }

  /// Returns when the values that were emitted before have been given to every handler or its queue.
  @_optimize(size)
  private final func delivered() async {
    await withUnsafeContinuation { done in
      let retired = state.withLock { state in
        var retired = RetiredObjects()
        if policy == .immediate {
          if isUnseen(flagging: 0) {
            retired.add(waiter: done)
          } else {
            state.retired.add(waiter: done)
            turnEpoch(&state, &retired)
          }
        } else if isUnseen(flagging: StateWord.more), state.serial.queue.isEmpty {
          retired.add(waiter: done)
        } else {
          state.serial.drains.appendUnspecialized((state.serial.queue.pushed, CompletionCounter(done)))
        }
        return retired
      }
      retired.dispose()
    }
  }
}

extension Endpoint {
  /// Returns when what has come so far has been handled or dropped.
  @_optimize(size)
  final func drained() async {
    await withUnsafeContinuation { whenDrained(CompletionCounter($0)) }
  }
}
