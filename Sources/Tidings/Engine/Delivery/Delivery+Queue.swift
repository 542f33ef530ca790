import Synchronization

// Values that are queued because a thread is delivering an earlier one.
extension Delivery {
  /// Another thread delivers, or a handler of this event emits: the delivering thread delivers this value too.
  ///
  /// With a `target` the value is left to a job of it, as if another thread were delivering already: a handler that is added from
  /// now on does not receive it.
  @inline(never)
  final func enqueue(
    _ value: Payload, _ context: DeliveryContext, depth: Int, through gate: GateSlot? = nil,
    leavingTo target: DeliveryTarget? = nil, postponing: Bool = false
  ) {
    if target == nil, claimSoon() { return deliverClaimed(value, context, depth: depth, through: gate) }
    switch take(value, context, depth: depth, queueing: target != nil || postponing, through: gate) {
    case .mine: deliverClaimed(value, context, depth: depth, through: gate)
    case .takenOver:
      if let target {
        target.schedule { self.drain(nil, target) }
      } else if postponing {
        Trampoline.add(self)
      } else {
        drain(context.here, depth: depth)
      }
    case .paused, .doubtful: context.leave()
    case .queued, .rejected: break
    }
  }
  /// The same for a value that the outermost delivery of this thread delivers, if it can: here the stack is nearly used up.
  final func postpone(_ value: Payload, _ context: DeliveryContext, depth: Int, through gate: GateSlot? = nil) {
    enqueue(value, context, depth: depth, through: gate, postponing: Trampoline.isAvailable)
  }
  /// Out of line: for two callers that are rare it would be 2 KB of every client.
  @inline(never)
  private final func deliverClaimed(
    _ value: Payload, _ context: DeliveryContext, depth: Int, through gate: GateSlot? = nil
  ) { deliverFirst(value, context, depth: depth, through: gate) }

  /// Another thread delivers, and may be done in a moment. Spinning for some hundred nanoseconds costs less than queueing the
  /// value, for which both threads take the lock: of two threads that did nothing but emit, each took a quarter as long.
  @inline(__always)
  private final func claimSoon() -> Bool {
    if CausalFrame.isNested { return false }
    for _ in 0..<16 {
      let seen = word.load(ordering: .relaxed)
      if seen == 0,
        word.weakCompareExchange(
          expected: 0, desired: StateWord.delivering, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
      {
        return true
      }
      if seen & (StateWord.delivering | StateWord.more) == StateWord.more { return false }
      spinPause()
    }
    return false
  }

  /// Queues the value after those that wait. If no thread was delivering the caller now is: `mine` if nothing waits and the
  /// caller still holds the value, unless it asked for the queue; `takenOver` if the value is in the queue.
  @inline(__always)
  private final func take(
    _ value: Payload, _ context: DeliveryContext, depth: Int, queueing: Bool, through gate: GateSlot? = nil
  ) -> QueueingResult {
    var check = RevocationCheck(isNeeded: gate != nil)
    while true {
      let taking = take(value, context, depth: depth, queueing: queueing, through: gate, check)
      if taking != .doubtful { return taking }
      if check.isRevoked() { return .paused }
    }
  }
  @inline(__always)
  private final func take(
    _ value: Payload, _ context: DeliveryContext, depth: Int, queueing: Bool, through gate: GateSlot?,
    _ check: RevocationCheck
  ) -> QueueingResult {
    let own = CausalFrame.delivers(for: self)
    let chain = depth > 1 ? CausalFrame.currentChain : 0
    let transaction = DetachedScope.transactionNumber
    let locals = CarriedLocals.captured
    let origin = gate.map { $0.passing } ?? .none
    let (taking, verdict) = state.withLock { state -> (QueueingResult, CycleGuard.Verdict) in
      if state.isFinished { return (.rejected, .admitted) }
      if let gate, !gate.isOpen { return (.paused, .admitted) }
      if check.isDoubtful { return (.doubtful, .admitted) }
      if word.load(ordering: .relaxed) == 0 { state.serial.becameIdle() }
      let verdict = state.serial.cycles.judge(depth, of: chain, limit: identity.queuedLimit, in: state.serial.queue)
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0, !queueing, verdict == .admitted {
          if word.compareExchange(expected: 0, desired: StateWord.delivering, ordering: .acquiring).exchanged {
            return (.mine, .admitted)
          }
          continue
        }
        if verdict != .admitted {
          // The delivering thread is to look, and to forget the rejected chain when nothing is left.
          let flagged = seen & StateWord.delivering == 0 ? seen : seen | StateWord.more
          if !word.compareExchange(expected: seen, desired: flagged, ordering: .relaxed).exchanged { continue }
          return (.rejected, verdict)
        }
        let busy = seen | StateWord.delivering | StateWord.more
        if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
          state.serial.cycles.added(depth)
          state.serial.queue.push(
            value, context.counter, locals, depth: depth, chain: chain, own: own, in: transaction, from: origin.bits)
          return (seen & StateWord.delivering == 0 ? .takenOver : .queued, .admitted)
        }
      }
    }
    if taking == .rejected {
      switch verdict {
      case .admitted: reportFinished()
      case .rejected: Diagnostics.reportCycle(through: self, depth: depth)
      case .rejectedAgain: break
      }
      context.leave()
    }
    return taking
  }

  // MARK: What waits

  /// Delivers what was left to this thread, until nothing is left or the round is over. `depth` is that of the value that was
  /// delivered before: what the destruction of its handlers causes is part of the same cycle as what they cause. Values of
  /// other emitters are delivered without task-local values; `isDetached` says that there are none already.
  @inline(never)
  final func drain(
    _ here: (any Actor)?, _ target: DeliveryTarget? = nil, depth: Int = 0, chain: UInt32 = 0, isDetached: Bool = false,
    atMost limit: Int = CausalLimits.round
  ) {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer -> Void in
      let place = buffer.baseAddress!
      var note = RawRingBuffer.Note()
      var (depth, chain) = (depth, chain)
      var left = limit
      while true {
        if Trampoline.waits(for: self) {
          CausalFrame.push(self, depth: depth, chain: chain) { Trampoline.run(by: self, here) }
        }
        var walked: Table?
        var count = 0
        let (next, retired) = state.withLock { state -> (NextStep, RetiredObjects) in
          var retired = state.retired.take()
          activatePending(&state, &retired)
          state.serial.takeDrained(into: &retired)
          let next = nextStep(&state, hasRetired: !retired.isEmpty, left: left, isDetached: isDetached)
          if next == .value {
            note = state.serial.queue.pop(into: place)
            state.serial.cycles.removed(note.depth)
            if !state.hasMore { word.store(StateWord.delivering, ordering: .releasing) }
            // Its emit may have returned long ago: a handler that is added from now on does not receive it.
            walked = current
            count = walked?.count ?? 0
          }
          return (next, retired)
        }
        switch next {
        case .dispose: CausalFrame.push(self, depth: depth, chain: chain) { retired.dispose() }
        case .nothing: return
        case .clear: CausalFrame.push(self, depth: depth, chain: chain) { clear(closingQueues: false) }
        case .orphan: return Unmanaged.passUnretained(self).release()
        case .reschedule:
          if let target {
            target.schedule { self.takeOver(target) }
          } else {
            startDetached { self.takeOver(nil) }
          }
          return
        case .detachedValue:
          let (depth, chain) = (depth, chain)
          let isDelivered = withoutTaskLocals(on: here) {
            self.drain(here, target, depth: depth, chain: chain, isDetached: true, atMost: limit)
          }
          if isDelivered { return }
          left = 0  // a task of its own has no task-local values either
        case .value:
          countDelivery()
          if !note.isOwn { left &-= 1 }
          (depth, chain) = (note.depth, note.chain)
          let scope = DetachedScope(unlessIn: note.transaction)
          defer { scope.end() }
          let counter = note.counter?.takeRetainedValue()
          let locals = note.locals?.takeRetainedValue()
          withExtendedLifetime(counter) {
            let origin = UpstreamNumber(bits: note.origin)
            CausalFrame.push(self, depth: depth, chain: chain, as: .delivers(from: origin)) {
              let context = DeliveryContext(here: here, counter: counter)
              if origin == .revoked {
                context.leave()
              } else if let locals {
                locals.bind { deliver(place, context, walked, count) }
              } else {
                deliver(place, context, walked, count)
              }
              // Within the frame: what its destruction causes is part of the same cycle as what handlers cause.
              place.deinitialize(count: 1)
            }
          }
        }
        if next == .value, stopDelivering() { return }
      }
    }
  }
  @inline(__always)
  private final func deliver(
    _ place: UnsafeMutablePointer<Payload>, _ context: DeliveryContext, _ walked: Table?, _ count: Int
  ) {
    prepare(place.pointee, context)
    walk(place.pointee, context, walked, count)
  }

  /// The task or job that continues after a round. No thread holds the delivery for it: a later emit that comes first
  /// continues instead, and a handler that ends meanwhile waits for neither.
  private final func takeOver(_ target: DeliveryTarget?) {
    let isMine = state.withLock { _ in
      word.compareExchange(
        expected: StateWord.more, desired: StateWord.delivering | StateWord.more, ordering: .acquiring
      ).exchanged
    }
    if isMine { drain(nil, target, isDetached: target == nil) }
  }
}

// Not nested in the generic class: naming them there would be a metadata look-up.
private enum QueueingResult {
  case queued, mine, takenOver, rejected
  /// The value may have been revoked.
  case doubtful
  /// The handler was paused between the source and this event.
  case paused
}

/// The next step of the delivering thread.
private enum NextStep {
  /// Destroys what was taken out meanwhile.
  case dispose
  case value
  /// The next value was emitted by other code, and would see the task-local values of this thread.
  case detachedValue
  /// Leaves the rest to a task.
  case reschedule
  /// Ends the handlers of an event that is deinitialized or finished.
  case clear
  case nothing
  /// Nothing, and the value that these handlers observed was destroyed.
  case orphan
}

extension HandlerList {
  /// Under the lock, between two values.
  fileprivate final func nextStep(_ state: inout State, hasRetired: Bool, left: Int, isDetached: Bool) -> NextStep {
    if hasRetired {
      word.store(StateWord.delivering, ordering: .releasing)
      return .dispose
    }
    if !state.serial.queue.isEmpty {
      if left == 0 {
        word.store(StateWord.more, ordering: .releasing)
        return .reschedule
      }
      word.store(StateWord.delivering | StateWord.more, ordering: .releasing)
      return isDetached || state.serial.queue.isFirstOwn ? .value : .detachedValue
    }
    if state.closing {
      state.closing = false
      word.store(StateWord.delivering, ordering: .releasing)
      return .clear
    }
    state.serial.cycles.reset()
    word.store(0, ordering: .releasing)
    return state.isOrphan ? .orphan : .nothing
  }
}
