import Synchronization

extension HandlerList {
  /// What is to be done after the lock is released.
  private struct Parting {
    var slot: Unmanaged<Slot>?
    var token: Unmanaged<Subscription>?
    var outlet: Outlet?
    /// The queue may still deliver what is in it.
    var lettingArrive = false
    var waiter: UnsafeContinuation<Void, Never>?
    var trash = Trash()

    func carryOut() {
      if lettingArrive { outlet?.retire() } else { outlet?.close() }
      slot?.release()
      trash.dispose()
      token?.release()
      waiter?.resume()
    }
  }

  /// Ends a subscription. `waiter` is resumed when no call in place can be running. With `lettingArrive`, what is in the
  /// handler's own queue is still delivered.
  final func remove(
    _ registration: borrowing Registration, waiter: UnsafeContinuation<Void, Never>? = nil, lettingArrive: Bool = false
  ) {
    let parting = state.withLock { state in
      var parting = Parting(lettingArrive: lettingArrive, waiter: waiter)
      let entry = registration.state.load(ordering: .relaxed)
      guard registration.isLive else {
        parting.outlet = Registration.outlet(entry)?.takeUnretainedValue()
        if waiter != nil { settle(&parting, &state) }
        return parting
      }
      parting.slot = Self.slot(of: entry)
      if registration.isPending { dropActivations(of: registration, &state) }
      end(registration, entry, &parting)
      if lettingArrive, let outlet = parting.outlet { retain(outlet, &state) }
      let place = Int(registration.place.load(ordering: .relaxed))
      guard place >= 0, let table = current else {
        settle(&parting, &state)
        return parting
      }
      // The last place may be used again, but not while a thread delivers: the delivery may have yet to visit it, and a
      // handler that is added there would receive the current value.
      let isLast = place == table.count - 1
      table[place] = Table.blank
      if isLast { table.count = place }
      if !settle(&parting, &state), isLast { table.count = place + 1 }
      if table.count > 16, liveCount * 2 < table.count { rebuild(&state, &parting.trash) }
      return parting
    }
    parting.carryOut()
    if isUnheard { emptied() }
  }
  /// Under the lock: forgets the queues that have delivered what they had.
  @inline(never)
  static func dropRetired(_ state: inout State) { state.retiring.removeAll { $0.waiting == 0 } }

  /// From now on the list keeps the token: it may be dropped. What has ended stays so.
  final func keep(_ subscription: Subscription) {
    state.withLock { _ in
      guard subscription.registration.isLive, !subscription.registration.isOwned else { return }
      subscription.registration.setOwned()
      _ = Unmanaged.passRetained(subscription)
    }
  }

  /// Under the lock: a queue that delivers what it has, for `drained()`.
  @inline(never)
  private final func retain(_ outlet: Outlet, _ state: inout State) {
    Self.dropRetired(&state)
    if outlet.waiting > 0 { state.retiring.append(outlet) }
  }
  /// Under the lock: true when nobody delivers; else what parts is left to whoever does.
  @discardableResult
  private final func settle(_ parting: inout Parting, _ state: inout State) -> Bool {
    if isUnseen(telling: Word.more | Word.attend) { return true }
    if let slot = parting.slot { state.trash.add(slot: slot) }
    if let waiter = parting.waiter { state.trash.add(waiter: waiter) }
    (parting.slot, parting.waiter) = (nil, nil)
    turnEpoch(&state, &parting.trash)
    return false
  }

  /// Under the lock: a handler that has not come in does not. Its entry retains it as well.
  @inline(never)
  private final func dropActivations(of registration: borrowing Registration, _ state: inout State) {
    if let number = registration.entrance { state.pending.take(number)?.release() }
    if let number = registration.resumption { state.pending.take(number)?.release() }
    registration.setResumption(nil)
  }

  /// Under the lock: unlinks slot and token for good. The token keeps the way to the handler, so that a call there can
  /// still be prevented or waited for. What waits there is dropped here, and not when the outlet closes: whoever cancels
  /// the handler next finds it ended, and may rely on that.
  private final func end(_ registration: borrowing Registration, _ entry: UInt, _ parting: inout Parting) {
    Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
      let token = slot.subscription!
      // Before the queue is sealed: who finds no queue asks whether the handler may be called at once.
      slot.link.store(0, ordering: .relaxed)
      let outlet = slot.seal()
      registration.state.store(
        outlet.map { UInt(bitPattern: $0.toOpaque()) | Registration.left } ?? 0, ordering: .releasing)
      if registration.isOwned { parting.token = token }
      guard let outlet else { return }
      parting.outlet = outlet.takeUnretainedValue()
      if !parting.lettingArrive, let waited = parting.outlet?.mute() { parting.trash.add(object: waited) }
    }
    live.store(live.load(ordering: .relaxed) - 1, ordering: .relaxed)
  }

  final func finish(_ subscription: Subscription) async {
    await withUnsafeContinuation { remove(subscription.registration, waiter: $0) }
    await Registration.outlet(subscription.registration.state.load(ordering: .acquiring))?.takeUnretainedValue().idle()
  }

  /// Ends every subscription. When the event goes, values that are on their way to other actors still arrive; when its
  /// user cancels all, they do not.
  final func clear(closingQueues: Bool) {
    let partings = state.withLock { state in
      var partings: [Parting] = []
      for entry in entries(state) {
        Self.registration(of: entry) { registration in
          var parting = Parting(slot: Self.slot(of: entry), lettingArrive: !closingQueues)
          if registration.isPending { dropActivations(of: registration, &state) }
          let place = Int(registration.place.load(ordering: .relaxed))
          if place >= 0 { current![place] = Table.blank }
          end(registration, entry, &parting)
          if state.isFinished, !closingQueues, let outlet = parting.outlet { state.retiring.append(outlet) }
          settle(&parting, &state)
          partings.append(parting)
        }
      }
      var last = Parting()
      if let table = current, table.capacity > 4 { rebuild(&state, &last.trash) }
      return partings + [last]
    }
    for parting in partings { parting.carryOut() }
    if isUnheard { emptied() }
  }
}
