import Synchronization

extension HandlerList {
  /// The effects of a removal, to be carried out after the lock is released.
  private struct RemovalEffects {
    var slot: Unmanaged<Slot>?
    var token: Unmanaged<Subscription>?
    var endpoint: Endpoint?
    /// The queue may still deliver what is in it.
    var deliveringQueued = false
    var waiter: UnsafeContinuation<Void, Never>?
    var retired = RetiredObjects()

    // Without this, a call of its own: four instructions of the row "subscribe + cancel".
    @inline(__always)
    func carryOut() {
      if let slot { Destruction.release(slot) }
      retired.dispose()
      // After the slot, with which a relay ends that has no other source.
      if deliveringQueued { endpoint?.retire() } else { endpoint?.close() }
      if let token { Destruction.release(token) }
      waiter?.resume()
    }
  }

  /// Ends a subscription. `waiter` is resumed when no call in place can be running. With `deliveringQueued`, what is in the
  /// handler's own queue is still delivered. With `calling`, the handler ends itself by its one call: `drained()` waits for it.
  final func remove(
    _ registration: borrowing Registration, waiter: UnsafeContinuation<Void, Never>? = nil,
    deliveringQueued: Bool = false, calling: Bool = false
  ) {
    let effects = state.withLock {
      end(registration, &$0, waiter, deliveringQueued: deliveringQueued, calling: calling)
    }
    effects.carryOut()
    if hasNoHandlers { emptied() }
  }
  /// The same for the subscription of a slot, while the slot is that of a live handler. It is found here and not retained: a token
  /// that another thread drops meanwhile cancels immediately.
  final func complete(_ slot: Slot) {
    let effects = state.withLock { state -> RemovalEffects? in
      guard let token = slot.subscription else { return nil }
      return token._withUnsafeGuaranteedRef {
        end($0.registration, &state, nil, deliveringQueued: true, calling: false)
      }
    }
    effects?.carryOut()
    if hasNoHandlers { emptied() }
  }
  /// The slot of a live handler.
  final func slot(of subscription: Subscription) -> Slot? {
    state.withLock { _ in
      guard subscription.registration.isLive else { return nil }
      return Self.slot(of: subscription.registration.state.load(ordering: .relaxed)).takeUnretainedValue()
    }
  }

  /// Under the lock.
  private final func end(
    _ registration: borrowing Registration, _ state: inout State, _ waiter: UnsafeContinuation<Void, Never>?,
    deliveringQueued: Bool, calling: Bool
  ) -> RemovalEffects {
    var effects = RemovalEffects(deliveringQueued: deliveringQueued, waiter: waiter)
    let entry = registration.state.load(ordering: .relaxed)
    guard registration.isLive else {
      effects.endpoint = Registration.endpoint(entry)?.takeUnretainedValue()
      if waiter != nil { retireEffects(&effects, &state) }
      return effects
    }
    effects.slot = Self.slot(of: entry)
    if registration.isPending { dropActivations(of: registration, &state) }
    let (place, hasPlace) = (Int(registration.place.load(ordering: .relaxed)), registration.hasPlace)
    unlink(registration, entry, &effects)
    if effects.deliveringQueued || calling || effects.endpoint?.deliversAfterCancel ?? false {
      retainWaiting(of: effects, &state)
    }
    guard hasPlace, let table = current else {
      retireEffects(&effects, &state)
      return effects
    }
    // The last place may be used again, but not while a thread delivers: the delivery may have yet to visit it, and a
    // handler that is added there would receive the current value.
    let isLast = place == table.count - 1
    table[place] = Table.blank
    if isLast { table.count = place }
    if !retireEffects(&effects, &state), isLast { table.count = place + 1 }
    if table.count > 16, liveCount * 2 < table.count { rebuild(&state, &effects.retired) }
    return effects
  }
  /// Under the lock: forgets the queues that have delivered what they had.
  @inline(never)
  static func dropRetired(_ state: inout State) {
    var retiring: [Endpoint] = []
    for endpoint in state.retiring where endpoint.waiting != 0 { retiring.appendUnspecialized(endpoint) }
    state.retiring = retiring
  }

  /// From now on the list keeps the token: it may be dropped. What has ended stays so.
  final func keep(_ subscription: Subscription) {
    state.withLock { _ in
      guard subscription.registration.isLive, !subscription.registration.isOwned else { return }
      Self.own(subscription)
    }
  }

  /// Under the lock: a queue, or a relay, that delivers what it has, for `drained()`.
  @inline(never)
  private final func retainWaiting(of effects: RemovalEffects, _ state: inout State) {
    guard let endpoint = effects.endpoint else { return }
    Self.dropRetired(&state)
    if endpoint.waiting > 0 { state.retiring.appendUnspecialized(endpoint) }
  }
  /// Under the lock: true when no thread delivers; otherwise the effects are left to the delivering thread.
  @discardableResult
  @inline(never)
  private final func retireEffects(_ effects: inout RemovalEffects, _ state: inout State) -> Bool {
    if isUnseen(flagging: StateWord.more | StateWord.checkpoint) { return true }
    if let slot = effects.slot { state.retired.add(slot: slot) }
    if let waiter = effects.waiter { state.retired.add(waiter: waiter) }
    (effects.slot, effects.waiter) = (nil, nil)
    turnEpoch(&state, &effects.retired)
    return false
  }

  /// Under the lock: a handler that is pending is not activated. Its entry retains it as well.
  @inline(never)
  private final func dropActivations(of registration: borrowing Registration, _ state: inout State) {
    if let number = registration.activation { state.serial.activations.take(number)?.release() }
    if let number = registration.resumption { state.serial.activations.take(number)?.release() }
    registration.setResumption(nil)
  }

  /// Under the lock: unlinks slot and token for good. The token keeps the endpoint, so that a call there can still be
  /// prevented or waited for. What is queued there is dropped here, and not when the endpoint closes: a thread that cancels
  /// the handler next finds it ended, and may rely on that.
  @inline(never)
  private final func unlink(
    _ registration: borrowing Registration, _ entry: UInt, _ effects: inout RemovalEffects,
    isCancellingAll: Bool = false
  ) {
    Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
      let token = slot.subscription!
      // Before the queue is sealed: a thread that finds no queue asks whether the handler may be called in place.
      slot.link.store(Slot.closed, ordering: .relaxed)
      let endpoint = slot.seal()
      effects.endpoint = endpoint?.takeUnretainedValue()
      if registration.isOwned { effects.token = token }
      // The last access: a thread that drops the token finds from now on that there is nothing to cancel, and frees it.
      registration.state.store(
        endpoint.map { UInt(bitPattern: $0.toOpaque()) | Registration.left } ?? 0, ordering: .releasing)
      guard let waiting = effects.endpoint else {
        // A relay delivers what it has, also when the subscription to this list was the relay's own and is cancelled.
        if entry & Table.routed != 0, let relay = slot.downstream {
          effects.endpoint = RelayStage(relay, of: self, through: slot.upstreamNumber)
          effects.deliveringQueued = !isCancellingAll
        }
        return
      }
      if !effects.deliveringQueued, let waited = waiting.pause() { effects.retired.add(object: waited) }
    }
    live.store(live.load(ordering: .relaxed) - 1, ordering: .relaxed)
  }

  final func finish(_ subscription: Subscription) async {
    await withUnsafeContinuation { remove(subscription.registration, waiter: $0) }
    await Registration.endpoint(subscription.registration.state.load(ordering: .acquiring))?.takeUnretainedValue()
      .idle()
  }

  /// Ends every subscription. When the event is deinitialized, values that are on their way to other actors are still
  /// delivered; when its user cancels all, they are not, also not those of subscriptions that ended with a finished event.
  @_optimize(size)
  final func clear(closingQueues: Bool) {
    let removals = state.withLock { state in
      var removals: [RemovalEffects] = []
      for entry in entries(state) {
        Self.registration(of: entry) { registration in
          var effects = RemovalEffects(slot: Self.slot(of: entry), deliveringQueued: !closingQueues)
          if registration.isPending { dropActivations(of: registration, &state) }
          if registration.hasPlace { current![Int(registration.place.load(ordering: .relaxed))] = Table.blank }
          unlink(registration, entry, &effects, isCancellingAll: closingQueues)
          if !closingQueues { retainWaiting(of: effects, &state) }
          // Closes again after the delivering thread has released the slot: a relay may end with it, and then has no other source.
          if !retireEffects(&effects, &state), closingQueues, let stage = effects.endpoint as? RelayStage {
            state.retired.add(object: OnDeinit { stage.close() })
          }
          removals.appendUnspecialized(effects)
        }
      }
      if closingQueues {
        for endpoint in state.retiring { removals.appendUnspecialized(RemovalEffects(endpoint: endpoint)) }
        // Until all is closed: a thread that cancels all meanwhile finds no handler, and closes these as well before it returns.
        state.retiring = []
        for effects in removals { if let endpoint = effects.endpoint { state.retiring.appendUnspecialized(endpoint) } }
      }
      var last = RemovalEffects()
      if let table = current, table.capacity > 4 { rebuild(&state, &last.retired) }
      removals.appendUnspecialized(last)
      return removals
    }
    if closingQueues { for effects in removals { effects.endpoint?.revokeUpstream() } }
    for effects in removals { effects.carryOut() }
    if closingQueues { forget(removals) }
    if hasNoHandlers { emptied() }
  }

  /// The list no longer knows the endpoints that were closed.
  private final func forget(_ removals: [RemovalEffects]) {
    var hasEndpoint = false
    for effects in removals where effects.endpoint != nil { hasEndpoint = true }
    if !hasEndpoint { return }
    state.withLock { state in
      var kept: [Endpoint] = []
      for endpoint in state.retiring {
        var isClosed = false
        for effects in removals where effects.endpoint === endpoint { isClosed = true }
        if !isClosed { kept.appendUnspecialized(endpoint) }
      }
      state.retiring = kept
    }
  }
}
