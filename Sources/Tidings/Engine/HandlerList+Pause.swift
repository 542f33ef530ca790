import Synchronization

extension HandlerList {
  final func pause(_ registration: borrowing Registration) {
    let (outlet, links) = state.withLock { state -> (Outlet?, Links?) in
      guard registration.isLive, !registration.isPaused else { return (nil, nil) }
      registration.setPaused(true)
      let entry = registration.state.load(ordering: .relaxed)
      let place = Int(registration.place.load(ordering: .relaxed))
      if place >= 0 { current![place] |= Table.silent }
      // A deliverer that still walks an older table learns it from the slot; of overlapping emits, some would learn it
      // only when the handler is back.
      if policy == .immediate {
        state.trash.silence(Self.slot(of: entry))
        state.resting.silence(Self.slot(of: entry))
      }
      return Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
        slot.link.bitwiseOr(Slot.paused, ordering: .relaxed)
        _ = isUnseen(telling: Word.more | Word.attend)
        return (slot.outlet, slot.links)
      }
    }
    outlet?.mute()
    links?.pause()
  }

  /// What is being delivered or waits was emitted while the handler was silent: it comes back behind that. Where emits
  /// overlap there is no such behind; they walk the table that they began with, so a new one is published.
  final func resume(_ registration: borrowing Registration) {
    let (outlet, links, trash) = state.withLock { state -> (Outlet?, Links?, Trash) in
      var trash = Trash()
      guard registration.isLive, registration.isPaused else { return (nil, nil, trash) }
      registration.setPaused(false)
      let entry = registration.state.load(ordering: .relaxed)
      let slot = Self.slot(of: entry)
      if policy == .serial, !isUnseen(telling: Word.more) {
        registration.addLate(1)
        state.latecomers.append(
          Latecomer(slot: .passRetained(slot.takeUnretainedValue()), turn: state.queue.pushed, isNew: false))
      } else {
        if policy == .immediate, !isUnseen(telling: 0) { rebuild(&state, &trash) }
        unsilence(entry, registration)
      }
      return slot._withUnsafeGuaranteedRef { ($0.outlet, $0.links, trash) }
    }
    outlet?.unmute()
    links?.resume()
    trash.dispose()
  }

  private final func unsilence(_ entry: UInt, _ registration: borrowing Registration) {
    Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
      _ = slot.link.bitwiseAnd(~Slot.paused, ordering: .relaxed)
    }
    let place = Int(registration.place.load(ordering: .relaxed))
    if place >= 0 { current![place] = entry }
  }

  /// Under the lock, between two values: lets in those whose turn has come, and lets go of those that ended waiting.
  final func admitLatecomers(_ state: inout State, _ trash: inout Trash) {
    if state.latecomers.isEmpty { return }
    let waiting = state.latecomers
    state.latecomers = []
    for late in waiting {
      guard let subscription = late.slot._withUnsafeGuaranteedRef({ $0.subscription }) else {
        trash.add(slot: late.slot)
        continue
      }
      if late.turn > state.queue.popped {
        state.latecomers.append(late)
        continue
      }
      subscription._withUnsafeGuaranteedRef { subscription in
        let entry = subscription.registration.state.load(ordering: .relaxed)
        admit(entry, subscription.registration, isNew: late.isNew, &state, &trash)
      }
      late.slot.release()  // not the last: its entry holds it
    }
  }
  private final func admit(
    _ entry: UInt, _ registration: borrowing Registration, isNew: Bool, _ state: inout State, _ trash: inout Trash
  ) {
    if !isNew { registration.addLate(-1) }
    let isHeard = !registration.isPaused && registration.late == 0
    if isNew { place(isHeard ? entry : entry | Table.silent, registration, &state, &trash) }
    if isHeard { unsilence(entry, registration) }
  }
}
