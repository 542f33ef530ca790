import Synchronization

// Waiting until what was emitted has been handled.
extension HandlerList {
  /// Returns when every value that was emitted before has been handled by every handler, on whichever actor.
  final func drained() async {
    if Frame.contains(self) { return refuseToWait() }
    await delivered()
    let (outlets, relays) = state.withLock { state in
      Self.dropRetired(&state)
      var (outlets, relays) = (state.retiring, [HandlerList]())
      for entry in entries(state) {
        Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
          if let outlet = slot.outlet { outlets.append(outlet) }
          if let relay = slot.onward { relays.append(relay) }
        }
      }
      return (outlets, relays)
    }
    for outlet in outlets { await outlet.drained() }
    for relay in relays { await relay.drained() }
  }

  /// The same for one handler; where a relay is between it and its sources, for what those have emitted.
  final func drained(_ subscription: Subscription) async {
    if Frame.contains(self) { return refuseToWait() }
    let links = state.withLock { _ in
      subscription.registration.isLive
        ? Self.slot(of: subscription.registration.state.load(ordering: .relaxed))._withUnsafeGuaranteedRef { $0.links }
        : nil
    }
    for source in links?.all ?? [] { await source.drained() }
    await delivered()
    await outlet(of: subscription)?.drained()
  }
  final func outlet(of subscription: Subscription) -> Outlet? {
    state.withLock { _ in
      let bits = subscription.registration.state.load(ordering: .relaxed)
      guard subscription.registration.isLive else { return Registration.outlet(bits)?.takeUnretainedValue() }
      return Self.slot(of: bits)._withUnsafeGuaranteedRef { $0.outlet }
    }
  }

  /// Returns when the values that were emitted before have been given to every handler or its queue.
  private final func delivered() async {
    await withUnsafeContinuation { done in
      let trash = state.withLock { state in
        var trash = Trash()
        if policy == .immediate {
          if isUnseen(telling: 0) {
            trash.add(waiter: done)
          } else {
            state.trash.add(waiter: done)
            turnEpoch(&state, &trash)
          }
        } else if isUnseen(telling: Word.more), state.queue.isEmpty {
          trash.add(waiter: done)
        } else {
          state.drains.append((state.queue.pushed, Ticket(done)))
        }
        return trash
      }
      trash.dispose()
    }
  }
}

extension Outlet {
  /// Returns when what has come so far has been handled or dropped.
  final func drained() async {
    await withUnsafeContinuation { whenDrained(Ticket($0)) }
  }
}
