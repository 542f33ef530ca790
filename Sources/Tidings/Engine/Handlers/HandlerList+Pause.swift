import Synchronization

// Whether a handler is paused is changed under the list's lock alone: the tag in the table, the slot's word that every other
// path asks, and the handler's own queue, as one step. So calls from several threads take effect one after the other.
extension HandlerList {
  /// Gives back what is to be destroyed outside any lock.
  @_optimize(size)
  final func pause(_ registration: borrowing Registration) -> RetiredObjects {
    let (retired, links) = state.withLock { state -> (RetiredObjects, UpstreamSubscriptions?) in
      var retired = RetiredObjects()
      let entry = registration.state.load(ordering: .relaxed)
      guard registration.isLive else {
        // Ended with its event, or by a thread that has yet to empty its queue: what is queued there may not be delivered
        // either.
        let left = Registration.endpoint(entry)?.takeUnretainedValue()
        if let waited = left?.pause() { retired.add(object: waited) }
        return (retired, nil)
      }
      let slot = Self.slot(of: entry)
      if !registration.isPaused {
        registration.setPaused(true)
        if let number = registration.resumption {
          // The entry of the handler retains it as well.
          state.serial.activations.take(number)?.release()
          registration.setResumption(nil)
        }
        let place = Int(registration.place.load(ordering: .relaxed))
        if registration.hasPlace { current![place] |= Table.paused }
        // A delivering thread that still walks an older table learns it from the slot; of overlapping emits, some would learn
        // it only after the handler was resumed.
        if policy == .immediate {
          state.retired.markPaused(slot, from: place)
          state.immediate.resting.markPaused(slot, from: place)
        }
        if let waited = slot._withUnsafeGuaranteedRef({ $0.markPaused() }) { retired.add(object: waited) }
        _ = isUnseen(flagging: StateWord.more | StateWord.checkpoint)
      }
      return (retired, slot._withUnsafeGuaranteedRef { $0.links })
    }
    guard let links else { return retired }
    var all = retired
    all.add(links.follow(registration))
    return all
  }

  /// Activates a paused handler after the values that are being delivered or queued, which were emitted while it was paused. Where
  /// emits overlap there is no such order. They walk the table that they began with, so the handler is activated in a table that
  /// no emit has begun with. Returns the objects that are to be destroyed outside any lock.
  @_optimize(size)
  final func resume(_ registration: borrowing Registration) -> RetiredObjects {
    let (retired, links) = state.withLock { state -> (RetiredObjects, UpstreamSubscriptions?) in
      var retired = RetiredObjects()
      guard registration.isLive else { return (retired, nil) }
      let entry = registration.state.load(ordering: .relaxed)
      let slot = Self.slot(of: entry)
      if registration.isPaused {
        registration.setPaused(false)
        let isIdle = isUnseen(flagging: policy == .serial ? StateWord.more : 0)
        if policy == .serial, !isIdle || !state.serial.queue.isEmpty {
          _ = slot.retain()
          registration.setResumption(
            state.serial.activations.append(slot, turn: state.serial.queue.pushed, isNew: false))
        } else {
          if policy == .immediate, !isIdle, current?.isWalked ?? false { rebuild(&state, &retired) }
          markResumed(entry, registration, &retired)
        }
      }
      return (retired, slot._withUnsafeGuaranteedRef { $0.links })
    }
    guard let links else { return retired }
    var all = retired
    all.add(links.follow(registration))
    return all
  }

  @_optimize(size)
  private final func markResumed(_ entry: UInt, _ registration: borrowing Registration, _ retired: inout RetiredObjects)
  {
    let woken = Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
      slot.markResumed()
      return slot.endpoint?.resume()
    }
    if let woken { retired.add(object: woken) }
    if registration.hasPlace { current![Int(registration.place.load(ordering: .relaxed))] = entry }
  }

  /// Under the lock, between two values: activates the pending handlers whose turn it is.
  final func activatePending(_ state: inout State, _ retired: inout RetiredObjects) {
    while let activation = state.serial.activations.next(after: state.serial.queue.popped) {
      let slot = activation.slot.unsafelyUnwrapped
      guard let subscription = slot._withUnsafeGuaranteedRef({ $0.subscription }) else {
        retired.add(slot: slot)
        continue
      }
      subscription._withUnsafeGuaranteedRef { subscription in
        let registration = subscription.registration.state.load(ordering: .relaxed)
        activate(registration, subscription.registration, isNew: activation.isNew, &state, &retired)
      }
      slot.release()  // not the last reference: its entry holds one
    }
  }
  private final func activate(
    _ entry: UInt, _ registration: borrowing Registration, isNew: Bool, _ state: inout State,
    _ retired: inout RetiredObjects
  ) {
    if !isNew { registration.setResumption(nil) }
    let isOpen = !registration.isPaused && registration.resumption == nil
    if isNew {
      registration.endActivation()
      place(isOpen ? entry : entry | Table.paused, registration, &state, &retired)
    }
    if isOpen { markResumed(entry, registration, &retired) }
  }
}
