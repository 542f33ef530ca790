import Synchronization

// Whether a handler is paused is changed under the list's lock alone: the mark in the table, the slot's word that every other
// path asks, and what waits in the handler's own queue, as one step. So calls from several threads take effect one after the
// other.
extension HandlerList {
  /// Gives back what is to be destroyed outside any lock.
  final func pause(_ registration: borrowing Registration) -> Trash {
    let (trash, links) = state.withLock { state -> (Trash, Links?) in
      var trash = Trash()
      let entry = registration.state.load(ordering: .relaxed)
      guard registration.isLive else {
        // Ended with its event, or by a thread that has yet to empty its queue: what waits there may not be delivered either.
        let left = Registration.outlet(entry)?.takeUnretainedValue()
        if let waited = left?.mute() { trash.add(object: waited) }
        return (trash, nil)
      }
      let slot = Self.slot(of: entry)
      if !registration.isPaused {
        registration.setPaused(true)
        if let number = registration.resumption {
          // The entry of the handler retains it as well.
          state.pending.take(number)?.release()
          registration.setResumption(nil)
        }
        let place = Int(registration.place.load(ordering: .relaxed))
        if place >= 0 { current![place] |= Table.silent }
        // A deliverer that still walks an older table learns it from the slot; of overlapping emits, some would learn it
        // only when the handler is back.
        if policy == .immediate {
          state.trash.silence(slot, from: place)
          state.resting.silence(slot, from: place)
        }
        if let waited = slot._withUnsafeGuaranteedRef({ $0.silence() }) { trash.add(object: waited) }
        _ = isUnseen(telling: Word.more | Word.attend)
      }
      return (trash, slot._withUnsafeGuaranteedRef { $0.links })
    }
    guard let links else { return trash }
    var all = trash
    all.add(links.follow(registration))
    return all
  }

  /// What is being delivered or waits was emitted while the handler was paused: it comes back after that. Where emits
  /// overlap there is no such order; they walk the table that they began with, so it comes back in one that no emit has begun
  /// with. Gives back what is to be destroyed outside any lock.
  final func resume(_ registration: borrowing Registration) -> Trash {
    let (trash, links) = state.withLock { state -> (Trash, Links?) in
      var trash = Trash()
      guard registration.isLive else { return (trash, nil) }
      let entry = registration.state.load(ordering: .relaxed)
      let slot = Self.slot(of: entry)
      if registration.isPaused {
        registration.setPaused(false)
        let isIdle = isUnseen(telling: policy == .serial ? Word.more : 0)
        if policy == .serial, !isIdle || !state.queue.isEmpty {
          _ = slot.retain()
          registration.setResumption(state.pending.append(slot, turn: state.queue.pushed, isNew: false))
        } else {
          if policy == .immediate, !isIdle, current?.isWalked ?? false { rebuild(&state, &trash) }
          unsilence(entry, registration, &trash)
        }
      }
      return (trash, slot._withUnsafeGuaranteedRef { $0.links })
    }
    guard let links else { return trash }
    var all = trash
    all.add(links.follow(registration))
    return all
  }

  private final func unsilence(_ entry: UInt, _ registration: borrowing Registration, _ trash: inout Trash) {
    let woken = Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
      slot.unsilence()
      return slot.outlet?.unmute()
    }
    if let woken { trash.add(object: woken) }
    let place = Int(registration.place.load(ordering: .relaxed))
    if place >= 0 { current![place] = entry }
  }

  /// Under the lock, between two values: activates the handlers whose turn has come.
  final func activatePending(_ state: inout State, _ trash: inout Trash) {
    while let activation = state.pending.next(after: state.queue.popped) {
      let slot = activation.slot.unsafelyUnwrapped
      guard let subscription = slot._withUnsafeGuaranteedRef({ $0.subscription }) else {
        trash.add(slot: slot)
        continue
      }
      subscription._withUnsafeGuaranteedRef { subscription in
        let registration = subscription.registration.state.load(ordering: .relaxed)
        activate(registration, subscription.registration, isNew: activation.isNew, &state, &trash)
      }
      slot.release()  // not the last: its entry holds it
    }
  }
  private final func activate(
    _ entry: UInt, _ registration: borrowing Registration, isNew: Bool, _ state: inout State, _ trash: inout Trash
  ) {
    if !isNew { registration.setResumption(nil) }
    let isOpen = !registration.isPaused && registration.resumption == nil
    if isNew { place(isOpen ? entry : entry | Table.silent, registration, &state, &trash) }
    if isOpen { unsilence(entry, registration, &trash) }
  }
}
